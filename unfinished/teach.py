"""teach.py next B [sheets] | give B [sheets] < lines | state B"""
import sys, urllib.request
cmd,b=sys.argv[1:3]; n=sys.argv[3] if len(sys.argv)>3 else '10'
body=sys.stdin.buffer.read() if cmd=='give' else b''
print(urllib.request.urlopen(urllib.request.Request(f'http://127.0.0.1:8099/{cmd}/{b}/{n}',data=body,method='POST'),timeout=600).read().decode())
