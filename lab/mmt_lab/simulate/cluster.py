"""Tasks on the workers of a Dask scheduler. They see the same files under the same names."""

import concurrent.futures

from ..command import requirements
from ..command.failure import Failure
from . import task as tasks

PATIENCE = 30  # seconds until a scheduler has to answer


class Cluster:
    def __init__(self, address, program, memory):
        """`memory`: bytes of each process; 0: as much as each finds."""
        requirements.check("distributed")
        self._address = address
        self._program = program
        self._memory = memory

    def run(self, todo, show):
        """As Local's."""
        import cloudpickle
        import distributed

        # The workers need not have the laboratory.
        cloudpickle.register_pickle_by_value(tasks)
        try:
            client = distributed.Client(self._address, timeout=PATIENCE)
        except (OSError, ValueError, concurrent.futures.TimeoutError) as error:
            raise Failure(f"no Dask scheduler answers at '{self._address}': {error}") from None
        with client:
            if not client.scheduler_info()["workers"]:
                raise Failure(f"the scheduler at '{self._address}' has no workers")
            return self._run(client, todo, show)

    def _run(self, client, todo, show):
        import distributed

        futures = [client.submit(self._job(one), pure=False) for one in todo]
        whole = sum(one.weight for one in todo) or 1
        weights = dict(zip((one.key for one in futures), todo, strict=True))
        done = 0
        show(0, None)
        try:
            for future in distributed.as_completed(futures):
                done += weights[future.key].weight
                show(done / whole, None)
            return [
                (one, self._outcome(future)) for one, future in zip(todo, futures, strict=True)
            ]
        except BaseException:
            client.cancel(futures)
            raise

    def _job(self, one):
        """A function of no module, which is sent with all that it needs."""
        run, program, memory = tasks.run_on_worker, self._program, self._memory

        def job():
            outcome = run(one, program, memory)
            return outcome.found, outcome.problem

        return job

    @staticmethod
    def _outcome(future):
        if future.status == "finished":
            return tasks.Outcome(*future.result())
        return tasks.Outcome([], f"the worker failed: {future.exception()}")
