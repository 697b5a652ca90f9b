import { compareLanes } from './lanes/compare-lanes.mjs'
import { createPool } from '@vid/kernel'
import { mkdirSync, writeFileSync } from 'node:fs'
const dir='/tmp/lane-libs/expz'; mkdirSync(dir,{recursive:true})
const shared=createPool()
const wrap=(b,s='')=>`<!doctype html><html><head><meta charset="utf-8"><style>#root { background: hsl(147 70% 54%); overflow: hidden }</style></head><body><div id="root" data-composition-id="random" data-width="400" data-height="240" data-duration="1">${b}</div></body></html>`
const A=`<style>@keyframes m2 { to { clip-path: inset(0 58% 0 0) } }</style><div style="width: 122.4px; height: 93.5px; background: repeating-linear-gradient(45deg, hsl(84 81% 78%) 0 5px, hsl(339 81% 70%) 0 17px); font: 700 13.9px Inter, sans-serif; transform-origin: 0 0; transform: rotate(-2.2deg); animation: m2 0.97s 0.25s linear both">a longer phrase<br>Ä ö ß</div>`
const B=(x,y)=>`<div style="position: absolute; left: 284px; top: -19.42px; width: 35px; height: 31px; background: hsl(69 57% 71%); transform: translate(39.4px, 4.5px) rotate(-1deg) scale(0.8); z-index: 3; border: 2.8px dashed hsl(325 66% 51%)">${x}${y}</div>`
const X=`<style>@keyframes m3 { to { clip-path: inset(0 18% 0 0) } }</style><div style="position: static; width: 152.5px; height: 97.9px; background: radial-gradient(hsl(167 89% 38%), hsl(143 74% 56%) 85%); will-change: transform; mix-blend-mode: overlay; animation: m3 0.82s 0.01s linear both">a longer phrase<br>fi fl</div>`
const X2=X.replace('mix-blend-mode: overlay;',''), X3=X.replace('will-change: transform;','')
const Y=`<style>@keyframes m4 { to { rotate: 130deg; scale: 0.7 } }</style><div style="position: absolute; left: 139px; top: 151px; width: 95.7px; height: 80.9px; background: hsl(30 52% 62%); font: 700 35.1px Inter, sans-serif; animation: m4 0.43s 0.18s steps(5) both">x</div>`
const only=process.argv[2]
for (const [n,b] of Object.entries({A,Bxy:B(X,Y),Bx:B(X,''),Bx2:B(X2,''),Bx3:B(X3,''),By:B('',Y)})) {
  if(only&&!only.split(',').includes(n)) continue
  writeFileSync(`${dir}/${n}.html`,wrap(b))
  const r=await compareLanes('auto',{projectDir:dir,entry:`${n}.html`,width:400,height:240,fps:30,frames:30},{shared,signal:new AbortController().signal}).catch(e=>({error:e.message}))
  console.log(n,r.lane,JSON.stringify(r.likeness),r.reasons??r.error)
}
await shared.close()
