"""Ways out of the sandbox: each is the body of a test by someone hostile, and how it must come to nothing.

The pattern is held against reason, message and output; who prints OUT got out. SECRET, FOLDER, PID and PORT stand for
a file, a folder, a process and a listening port of the machine.
"""

from textwrap import indent

DENIED = "PermissionError|not permitted|Permission denied|Read-only file system"
ABSENT = "FileNotFoundError|No such file|ModuleNotFoundError"
NOWHERE = f"{DENIED}|{ABSENT}"
SPENT = "timeout|memory|MemoryError|Resource temporarily unavailable|can't start new thread|Cannot allocate|ended"

_LIBC = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
_CALL = (
    _LIBC + "def call(*a):\n    r = libc.syscall(*a)\n    if r == -1: raise OSError(ctypes.get_errno(), 'syscall')\n"
)
_CALL += "    print('OUT')\n    return r\n"

ATTEMPTS: dict[str, tuple[str, str]] = {
    # The network
    "tcp": ("import socket\nsocket.create_connection(('127.0.0.1', PORT))\nprint('OUT')", DENIED),
    "tcp_raw": ("import socket\nsocket.socket()\nprint('OUT')", DENIED),
    "udp": ("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM)\nprint('OUT')", DENIED),
    "ipv6": ("import socket\nsocket.socket(socket.AF_INET6)\nprint('OUT')", DENIED),
    "raw_packets": ("import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW)\nprint('OUT')", DENIED),
    "vsock": ("import socket\nsocket.socket(socket.AF_VSOCK)\nprint('OUT')", DENIED),
    "netlink": ("import socket\nsocket.socket(socket.AF_NETLINK, socket.SOCK_RAW)\nprint('OUT')", DENIED),
    "kernel_crypto": ("import socket\nsocket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)\nprint('OUT')", DENIED),
    "unix_socket": ("import socket\nsocket.socket(socket.AF_UNIX).connect('\\0scribe')\nprint('OUT')", DENIED),
    "name_lookup": ("import socket\nsocket.getaddrinfo('example.org', 80)\nprint('OUT')", "gaierror|" + DENIED),
    "url": (
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:PORT')\nprint('OUT')",
        "URLError|" + DENIED,
    ),
    "server": ("import http.server\nhttp.server.HTTPServer(('', 0), None)\nprint('OUT')", DENIED),
    # Files of the user and the system
    "secret_file": ("print('OUT', open('SECRET').read())", ABSENT),
    "home": ("import os\nprint('OUT', os.listdir(os.path.expanduser('~')))", NOWHERE),
    "root_home": ("import os\nprint('OUT', os.listdir('/root'))", NOWHERE),
    "passwords": ("print('OUT', open('/etc/passwd').read())", ABSENT),
    "shadow": ("print('OUT', open('/etc/shadow').read())", ABSENT),
    "temporary": ("import os\nprint('OUT', os.listdir('/tmp'))", ABSENT),
    "old_root": ("import os\nprint('OUT', os.listdir('/oldroot'))", ABSENT),
    "new_root": ("import os\nprint('OUT', os.listdir('/newroot'))", ABSENT),
    "dots": ("print('OUT', open('../../../../../../SECRET').read())", ABSENT),
    "link_to_secret": ("import os\nos.symlink('SECRET', 'link')\nprint('OUT', open('link').read())", ABSENT),
    "hard_link": ("import os\nos.link('/python/bin/' + os.listdir('/python/bin')[0], 'x')\nprint('OUT')", "OSError"),
    "disk": ("print('OUT', open('/dev/vda', 'rb').read(9))", ABSENT),
    "kernel_memory": ("print('OUT', open('/dev/mem', 'rb').read(9))", ABSENT),
    "terminal": ("print('OUT', open('/dev/tty').read(1))", ABSENT),
    "kernel_settings": ("import os\nprint('OUT', os.listdir('/sys'))", ABSENT),
    # Writing outside the work folder
    "write_secret": ("open('SECRET', 'w').write('x')\nprint('OUT')", ABSENT),
    "write_folder": ("open('FOLDER/new', 'w').write('x')\nprint('OUT')", ABSENT),
    "write_library": ("open('/usr/lib/evil', 'w').write('x')\nprint('OUT')", DENIED),
    "write_python": ("import os\nopen(os.__file__, 'a').write('x')\nprint('OUT')", DENIED),
    "write_root": ("open('/evil', 'w').write('x')\nprint('OUT')", DENIED),
    "make_folder": ("import os\nos.mkdir('/evil')\nprint('OUT')", DENIED),
    "plant_site": ("import site\nopen(site.__file__[:-7] + 'site-packages/x.pth', 'w')\nprint('OUT')", NOWHERE),
    "shared_memory": ("open('/dev/shm/evil', 'w').write('x')\nprint('OUT')", NOWHERE),
    "change_mode": ("import os\nos.chmod('/python', 0o777)\nprint('OUT')", DENIED),
    "device_node": ("import os, stat\nos.mknod('n', stat.S_IFBLK | 0o600, os.makedev(8, 0))\nprint('OUT')", DENIED),
    # Other processes
    "processes": ("import os\nprint('OUT', os.listdir('/proc'))", ABSENT),
    "environment_of_parent": ("print('OUT', open('/proc/PID/environ').read())", ABSENT),
    "memory_of_first": ("print('OUT', open('/proc/1/mem', 'rb').read(1))", ABSENT),
    "signal_parent": ("import os\nos.kill(PID, 9)\nprint('OUT')", "ProcessLookupError"),
    "signal_first": ("import os\nos.kill(1, 9)\nimport time\ntime.sleep(.2)\nassert False, 'lives'", "lives"),
    "signal_group": ("import os\nos.killpg(os.getpgrp(), 9)\nprint('OUT')", "timeout|ended"),
    "signal_all": ("import os\nos.kill(-1, 9)\nassert False, 'alone'", "alone|ProcessLookupError|timeout|ended"),
    "trace_first": (_CALL + "call(101 if os.uname().machine == 'x86_64' else 117, 16, 1, 0, 0)", DENIED),
    "read_memory": (_CALL + "call(310 if os.uname().machine == 'x86_64' else 270, 1, 0, 0, 0, 0, 0)", DENIED),
    "steal_file": (_CALL + "call(434, 1, 0)", DENIED),
    "parent_pipes": (
        "import os\nfor n in range(4, 64):\n    try: os.write(n, b'{}')\n    except OSError: continue\n"
        "    print('OUT', n)\nassert False, 'none'",
        "none",
    ),
    "priority": ("import os\nos.setpriority(0, 0, -20)\nprint('OUT')", DENIED),
    # Rights
    "become_root": ("import os\nos.setuid(0)\nprint('OUT')", "OSError|" + DENIED),
    "new_user_space": (_CALL + "call(272 if os.uname().machine == 'x86_64' else 97, 0x10000000)", DENIED),
    "clone_user_space": (_CALL + "call(56 if os.uname().machine == 'x86_64' else 220, 0x10000011, 0, 0, 0, 0)", DENIED),
    "clone3": (_CALL + "call(435, 0, 0)", "Function not implemented|OSError"),
    "mount": (_LIBC + "assert libc.mount(b'x', b'/work', b'tmpfs', 0, 0) == 0, 'denied'\nprint('OUT')", "denied"),
    "unmount": (_LIBC + "assert libc.umount2(b'/usr/lib', 2) == 0, 'denied'\nprint('OUT')", "denied"),
    "change_root": ("import os\nos.chroot('/usr')\nprint('OUT')", DENIED),
    "host_name": ("import socket\nsocket.sethostname('evil')\nprint('OUT')", DENIED),
    "clock": ("import time\ntime.clock_settime(0, 0)\nprint('OUT')", DENIED),
    "kernel_program": (_CALL + "call(321 if os.uname().machine == 'x86_64' else 280, 0, 0, 0)", DENIED),
    "io_ring": (_CALL + "call(425, 8, 0)", DENIED),
    "keyring": (_CALL + "call(250 if os.uname().machine == 'x86_64' else 219, 0, -3, 1)", DENIED),
    "by_handle": (_CALL + "call(304 if os.uname().machine == 'x86_64' else 265, -100, 0, 0)", DENIED),
    "memory_file": ("import os\nos.memfd_create('x')\nprint('OUT')", DENIED),
    "system_v_memory": (_CALL + "call(29 if os.uname().machine == 'x86_64' else 194, 0, 1 << 30, 0o1600)", DENIED),
    "old_interface": (_CALL + "call(0x40000000 + 39)", "Function not implemented|OSError"),
    "raise_limits": (
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))\nprint('OUT')",
        "not allowed|" + DENIED,
    ),
    # Programs
    "shell": ("import os\nassert os.system('echo OUT') == 0, 'no shell'", "no shell"),
    "shell_by_name": ("import subprocess\nsubprocess.run(['/bin/sh', '-c', 'echo OUT'])", ABSENT),
    "sudo": ("import subprocess\nsubprocess.run(['sudo', 'id'])\nprint('OUT')", ABSENT),
    "set_user_program": (
        "import os\nopen('p', 'w').write('x')\nos.chown('p', 0, 0)\nprint('OUT')",
        "OSError|" + DENIED,
    ),
    "python_again": (
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'open(\"SECRET\")'], check=True)\nprint('OUT')",
        "CalledProcessError",
    ),
    "installed_package": ("import numpy\nprint('OUT')", ABSENT),
    "own_code": ("import scribe.sandbox\nprint('OUT')", ABSENT),
    "import_by_path": ("import sys\nsys.path += ['FOLDER']\nimport planted\nprint('OUT')", ABSENT),
    "import_site": ("import site, sys\nsite.main()\nimport pydantic\nprint('OUT')", ABSENT),
    "pickle": (
        "import pickle\nclass P:\n    def __reduce__(self): return open, ('SECRET',)\n"
        "pickle.loads(pickle.dumps(P.__reduce__(None)))[0]('SECRET')\nprint('OUT')",
        ABSENT,
    ),
    "code_object": ("exec(compile('import os; print(\"OUT\", os.listdir(\"FOLDER\"))', 'x', 'exec'))", ABSENT),
    "native_library": ("import ctypes\nctypes.CDLL('FOLDER/evil.so')\nprint('OUT')", "OSError"),
    "environment": ("import os\nassert 'SCRIBE_CANARY' in os.environ, sorted(os.environ)\nprint('OUT')", "LANG"),
    "standard_input": ("import sys\nassert sys.stdin.read(), 'empty'\nprint('OUT')", "empty"),
    # Means
    "endless_loop": ("while True: pass", "timeout"),
    "endless_sleep": ("import time\ntime.sleep(1000)", "timeout"),
    "ignored_signals": (
        "import signal\nfor s in (1, 2, 15, 24): signal.signal(s, signal.SIG_IGN)\nwhile True: pass",
        "timeout",
    ),
    "memory": ("x = bytearray(1 << 33)\nprint('OUT')", "memory"),
    "memory_bit_by_bit": ("x = []\nwhile True: x.append(bytearray(1 << 20))", "memory"),
    "mapped_memory": ("import mmap\nmmap.mmap(-1, 1 << 34)\nprint('OUT')", SPENT),
    "big_number": ("x = 9 ** 9 ** 9\nprint('OUT')", SPENT),
    "deep_recursion": ("def f(): f()\nf()", "RecursionError"),
    "crash": ("import ctypes\nctypes.string_at(0)", "ended SIGSEGV"),
    "fork_bomb": ("import os\nwhile True: os.fork()", SPENT),
    "thread_bomb": (
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,)).start()",
        SPENT,
    ),
    "huge_file": (
        "f = open('big', 'wb')\nfor _ in range(99): f.write(bytes(1 << 20))\nprint('OUT')",
        "File too large|No space|ended",
    ),
    "many_files": ("for n in range(99): open(str(n), 'wb').write(bytes(1 << 20))\nprint('OUT')", "No space"),
    "sparse_file": (
        "import os\nos.truncate(os.open('s', os.O_CREAT | os.O_RDWR), 1 << 40)\nprint('OUT')",
        "File too large|ended",
    ),
    "open_files": ("x = [open('/dev/null') for _ in range(9999)]\nprint('OUT')", "Too many open files"),
    "endless_output": ("while True: print('x' * 1000)", "timeout"),
    "early_exit": ("import os\nos._exit(0)", "ended"),
    "system_exit": ("raise SystemExit(0)", "SystemExit"),
    # The last one: too much memory in all ends the whole run.
    "many_hogs": (
        "import os\nfor _ in range(3): os.fork()\nx = [bytearray(1 << 20) for _ in range(240)]\n"
        "import time\ntime.sleep(9)",
        SPENT,
    ),
}


def write_tests(replace: dict[str, str]) -> str:
    """All attempts as one file of tests, with the names of what is to be reached put in."""
    bodies = {name: body for name, (body, _) in ATTEMPTS.items()}
    for word, value in replace.items():
        bodies = {name: body.replace(word, value) for name, body in bodies.items()}
    return "\n\n".join(f"def test_{name}():\n{indent(body, '    ')}" for name, body in bodies.items())
