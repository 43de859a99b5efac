"""`mmt check`: whether MMT is for a program. facts.py is what can be said without running it,
measuring.py runs it, verdict.py judges, words.py and document.py tell."""
