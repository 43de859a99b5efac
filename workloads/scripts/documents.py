"""Objects, dictionaries, JSON and strings, as in a service that parses, changes and answers documents.

Prints its answer and fails when it is not the known one. Argument: number of documents.
Run with PYTHONMALLOC=malloc, so that every object comes from the allocator under test.
"""
import json
import sys

KNOWN = {9000: "11280535 2000 item-181,item-3235,item-3956 653235076 10000", 300: "381101 300 item-4333,item-4738,item-1141 22213493 5902"}


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % bound


class Item:
    def __init__(self, name, price, tags):
        self.name = name
        self.price = price
        self.tags = tags

    def to_json(self):
        return {"name": self.name, "price": self.price, "tags": self.tags}


class Order:
    def __init__(self, number, random):
        self.number = number
        self.items = [
            Item(f"item-{random.below(5000)}", random.below(10000) / 100,
                 [f"t{random.below(100)}" for _ in range(random.below(4))])
            for _ in range(5 + random.below(20))
        ]

    def to_json(self):
        return {"order": self.number, "items": [item.to_json() for item in self.items]}


def main():
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 9000
    random = Random(42)
    live = {}
    by_name = {}
    size = 0
    for number in range(documents):
        text = json.dumps(Order(number, random).to_json(), indent=1)
        size += len(text)
        parsed = json.loads(text)
        for item in parsed["items"]:
            by_name.setdefault(item["name"], []).append(item["price"])
        live[number] = parsed
        if number >= 2000:
            del live[number - 2000]
    top = sorted(by_name, key=lambda name: (-len(by_name[name]), name))[:3]
    cents = sum(round(100 * price) for prices in by_name.values() for price in prices)
    words = sorted(word for key in by_name for word in key.split("-"))
    answer = f"{size} {len(live)} {','.join(top)} {cents} {len(words)}"
    print(answer)
    return 1 if KNOWN.get(documents, answer) != answer else 0


if __name__ == "__main__":
    sys.exit(main())
