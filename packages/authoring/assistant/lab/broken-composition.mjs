// A composition of six seconds with ten mistakes, each of which an operation of vid edit mends.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodePng, wavOf } from '@vid/testkit'

/** Rules of vid check by the element that breaks each. */
export const DEFECTS = {
  '#dim': 'contrast',
  '#faint': 'contrast',
  '#tiny': 'text-small',
  '#below': 'text-covered',
  '#cut': 'text-cut',
  '#edge': 'text-safe-area',
  '#logo': 'squeezed-image',
  '#mover': 'cut-animation',
  '#clip': 'video-too-short',
  '#tone': 'clipping',
}

/** A page that is rendered to the video of the composition. */
export const VIDEO_PAGE = `<!doctype html><meta charset="utf-8">
<style>#root { background: #274060 } #ball { position: absolute; top: 30px; width: 40px; height: 40px; border-radius: 20px; background: #ffd166; animation: go 2s linear both } @keyframes go { from { left: 0 } to { left: 120px } }</style>
<div id="root" data-composition-id="ball" data-width="160" data-height="90" data-duration="2"><div id="ball"></div></div>
`

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<style>
  #root { background: #1b2430; color: #ffffff; font: 24px sans-serif }
  #root p { position: absolute; margin: 0 }
  #dim { left: 90px; top: 60px; color: #2f3b4a }
  #faint { left: 90px; top: 100px; color: #39485a }
  #tiny { left: 90px; top: 140px; font-size: 5px }
  #pair { position: absolute; left: 90px; top: 160px; width: 240px; height: 40px }
  #below { left: 0; top: 4px }
  #cover { position: absolute; left: 0; top: 0; width: 150px; height: 40px; background: #46586e }
  #box { position: absolute; left: 90px; top: 210px; width: 170px; height: 40px; overflow: hidden }
  #cut { left: 0; top: 2px; white-space: nowrap; font-size: 24px }
  #edge { left: 4px; top: 270px }
  #logo { position: absolute; left: 480px; top: 60px; width: 90px; height: 50px }
  #mover { position: absolute; left: 420px; top: 140px; width: 30px; height: 30px; background: #ffd166; animation: move 2s linear both }
  @keyframes move { from { translate: 0 0 } to { translate: 120px 0 } }
  #clip { position: absolute; left: 400px; top: 200px; width: 160px; height: 90px }
</style>
<div id="root" data-composition-id="film" data-width="640" data-height="360" data-duration="6">
  <p id="dim">Hardly to be read</p>
  <p id="faint">As faint as the night</p>
  <p id="tiny">Terms and conditions apply to everything</p>
  <div id="pair">
    <p id="below">Below a surface</p>
    <div id="cover"></div>
  </div>
  <div id="box"><p id="cut">Longer than its box</p></div>
  <p id="edge">Too near to the edge</p>
  <img id="logo" src="logo.png" alt="">
  <div id="mover" data-start="1" data-duration="1"></div>
  <video id="clip" src="ball.mp4" data-start="0" data-duration="5" muted></video>
  <audio id="tone" src="tone.wav" data-start="0" data-volume="2"></audio>
</div>
</html>
`

const SIDE = 100

/** A yellow disc on blue. */
const logoPixels = () => {
  const pixels = Array.from({ length: SIDE * SIDE }, (_, index) => {
    const isInside = Math.hypot((index % SIDE) - SIDE / 2, Math.floor(index / SIDE) - SIDE / 2) < 0.45 * SIDE
    return isInside ? [255, 209, 102, 255] : [39, 64, 96, 255]
  })
  return { width: SIDE, height: SIDE, data: Uint8Array.from(pixels.flat()) }
}

const tone = (time) => 0.8 * Math.sin(2 * Math.PI * 440 * time)

/** Writes the composition into a folder, without its video. */
export const writeComposition = async (folder) => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'index.html'), PAGE)
  await writeFile(join(folder, 'logo.png'), encodePng(logoPixels()))
  await writeFile(join(folder, 'tone.wav'), wavOf(tone, { seconds: 6 }))
}
