"""The Java libraries that stand-ins run on, fetched by Maven as the machine has it set up."""

import dataclasses

from ..machine import installation
from ..command.failure import Failure
from ..peers import commands

_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_PROJECT = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>mmt</groupId><artifactId>traces</artifactId><version>1</version>
  <dependencies>
{dependencies}
  </dependencies>
</project>
"""
_DEPENDENCY = """    <dependency>
      <groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>
      <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
    </dependency>"""


@dataclasses.dataclass(frozen=True)
class Jar:
    group: str
    artifact: str
    version: str
    digest: str  # SHA-256; another file is refused

    @property
    def file(self):
        return f"{self.artifact}-{self.version}.jar"


JARS = (
    Jar(
        "net.java.dev.javacc",
        "javacc",
        "7.0.13",
        "a4ea46021ec567d89ca305763eedf738ba8a63601445e1aad08a329a6554502a",
    ),
    Jar(
        "javazoom",
        "jlayer",
        "1.0.1",
        "850508c837454a1b06017c32a36876fae516de1e89a829f725fee1e6dcc52000",
    ),
    Jar(
        "org.apache.commons",
        "commons-compress",
        "1.27.1",
        "293d80f54b536b74095dcd7ea3cf0a29bbfc3402519281332495f4420d370d16",
    ),
    Jar(
        "commons-io",
        "commons-io",
        "2.16.1",
        "f41f7baacd716896447ace9758621f62c1c6b0a91d89acee488da26fc477c84f",
    ),
    Jar(
        "commons-codec",
        "commons-codec",
        "1.17.1",
        "f9f6cb103f2ddc3c99a9d80ada2ae7bf0685111fd6bffccb72033d1da4e6ff23",
    ),
    Jar(
        "org.apache.commons",
        "commons-lang3",
        "3.16.0",
        "08709dd74d602b705ce4017d26544210056a4ba583d5b20c09373406fe7a00f8",
    ),
    Jar(
        "com.h2database",
        "h2",
        "2.2.224",
        "b9d8f19358ada82a4f6eb5b174c6cfe320a375b5a9cb5a4fe456d623e6e55497",
    ),
    Jar(
        "org.evrete",
        "evrete-core",
        "4.0.3",
        "f444cc5da8d06ee2798eb3220c9aa2a070271a7e3e109765b518d936b106d088",
    ),
)


def fetch(folder):
    """All of them into an empty folder, each as it was pinned."""
    text = "\n".join(
        _DEPENDENCY.format(group=one.group, artifact=one.artifact, version=one.version)
        for one in JARS
    )
    (folder / "pom.xml").write_text(_PROJECT.format(dependencies=text), encoding="utf-8")
    words = ["mvn", "-B", "-q", _PLUGIN, "-DoutputDirectory=jars"]
    commands.run("fetch the Java libraries", words, folder)
    for one in JARS:
        _check(folder / "jars" / one.file, one)
    return folder / "jars"


def _check(file, jar):
    digest = installation.digest(file)
    if digest != jar.digest:
        raise Failure(
            f"'{file.name}' is not the file that was pinned: its SHA-256 is {digest or 'unknown'}, "
            f"not {jar.digest}"
        )
