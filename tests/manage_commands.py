"""A program that runs many commands of manage.py, each in a process of its own: Django is set up once for all."""

# Reads a JSON list of commands; prints {command: [exit status, what it has said]}.
PROGRAM = """
import glob, json, os, shlex, sys, tempfile
import django, manage
os.environ["DJANGO_SETTINGS_MODULE"] = "tournament.settings"
os.environ["VAR_DIR"] = str(manage.installation_folder.read_environment())
django.setup()
import tournament.urls
answers = {}
for command in json.load(sys.stdin):
    words = [path for word in shlex.split(command) for path in glob.glob(word) or [word]]
    with tempfile.TemporaryFile("w+") as out:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
            sys.argv = ["manage.py", *words]
            sys.exit(manage.main())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        answers[command] = [status, out.read()]
print(json.dumps(answers))
"""
