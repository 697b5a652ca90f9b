import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scratch } from '../support/vid.ts'

/** 150 frames: two segments, as `vid render` has them too. */
const SECONDS = 5

/** A page of so many seconds with a word. */
export const page = (word = 'vid', seconds = SECONDS) => `<!doctype html>
<html data-composition-variables='[{"id":"word","type":"string","label":"Word","default":"${word}"}]'>
<body style="margin:0"><div data-composition-id="root" data-width="320" data-height="180" data-duration="${seconds}" style="width:320px;height:180px;background:teal">
<p id="word" style="font:40px sans-serif;color:white;animation:move ${seconds}s linear"></p></div>
<style>@keyframes move { to { transform: translateX(200px) } }</style>
<script>document.getElementById('word').textContent = __vid.getVariables().word</script></body></html>`

/** Cuts a render into two chunks. */
export const CHUNKS = ['--chunk-size', '120'] as const

/** Waits for a render. */
export const WAIT = ['--wait', '--poll-interval', '0.2'] as const

/** Makes the folder of a video with a word. */
export const composition = async (word?: string, seconds?: number): Promise<string> => {
  const folder = join(await scratch(), 'film')
  await mkdir(folder)
  await writeFile(join(folder, 'index.html'), page(word, seconds))
  return folder
}
