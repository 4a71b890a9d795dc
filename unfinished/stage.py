"""stage.py LEARN BEGIN OUT key=value…"""
import sys
from pathlib import Path
from finetune.lora import stages
from finetune.sections import settings
from finetune.lora.settings import StageSettings
from data.pretrained.conversion import open_base_folder
import time
learn,begin,out=sys.argv[1:4]
told=dict(learn=learn,begin=begin,rank=32,alpha=64.0,dropout=0.0,rows=8,together=8,tokens=5200,rate=6e-4,floor=0.05,precision="int8",recompute=False,through_opening=False,held=0.01,threads=2)
for kv in sys.argv[4:]:
    k,v=kv.split('='); told[k]=type(told.get(k,1.0))(float(v)) if not isinstance(told.get(k),(str,bool)) else v
told['epochs']=float(told.get('epochs',1))
t0=time.time()
import finetune.lora.loop as loop
note=loop.Loop._note
def _note(self,number,bunches,rate,loss,norm,seconds):
    note(self,number,bunches,rate,loss,norm,seconds); p=self.progress.points[-1]
    print(p.step,self.total,"rows",p.rows,"loss",round(p.loss,3),"held",p.held and round(p.held,4),"rate",f"{rate:.1e}","s",round(seconds,1),"min",round((time.time()-t0)/60,1),flush=True)
loop.Loop._note=_note
stages.run(settings(StageSettings,told,learn),Path(__import__('os').environ.get('EXAMPLES','/work/examples.parquet')),open_base_folder(),Path(out))
