"""`mmt run` of programs into which no library can be loaded, and which only root can make."""

import os
import shutil
import struct

from obstacle_support import HELLO, ObstacleLab
from support import NOBODY, main, mmt

# VFS_CAP_REVISION_2 with the effective bit; permitted: CAP_NET_BIND_SERVICE.
FILE_CAPABILITY = struct.pack("<5I", 0x02000001, 1 << 10, 0, 0, 0)


class ObstaclesOfRoot(ObstacleLab):
    def test_setgid_program(self):
        path = self.compile("setgid", HELLO)
        os.chown(path, 0, NOBODY)
        path.chmod(0o2755)
        self.assert_warned(path, "setgid", "LD_PRELOAD")

    def test_file_capabilities(self):
        tool = self.public_tree()
        path = tool.parent / "capable"
        shutil.copy(self.compile("capable", HELLO), path)
        os.setxattr(path, "security.capability", FILE_CAPABILITY)
        self.assert_warned(path, "file capabilities", user=NOBODY, binary=tool, cwd="/")
        self.assertEqual(mmt("run", "--strict", "--", path).status, 5, "root gains nothing by them")


if __name__ == "__main__":
    main()
