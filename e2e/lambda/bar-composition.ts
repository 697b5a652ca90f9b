import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeTone } from '../support/sound.ts'
import { scratch } from '../support/vid.ts'

export const SECONDS = 4
export const FPS = 10
const TALK = 'WEBVTT\n\n00:00.500 --> 00:01.500\nred, then green\n'

/** A bar that crosses the picture in chunks of a second, with a tone and captions. */
const page = (seconds: number) => `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="${seconds}" data-no-timeline style="background:#123">
  <div id="bar" style="position:absolute;top:20px;width:40px;height:140px;background:#fc3"></div>
  <track kind="captions" src="talk.vtt" srclang="en" label="English" data-start="0">
  <audio src="tone.wav" data-start="0" data-duration="${seconds}"></audio>
</div>
<style>[data-shape='9:16'] { background: #c00 !important }</style>
<script>
  document.getElementById('bar').animate([{ left: '0' }, { left: '280px' }], { duration: ${seconds * 1000}, fill: 'both' })
</script></body></html>`

/** Cuts a render into chunks of a second, and waits for it. */
export const SECOND_CHUNKS = [
  '--fps',
  String(FPS),
  '--chunk-size',
  String(FPS),
  '--quality',
  'draft',
  '--wait',
  '--poll-interval',
  '0.2',
] as const

/** Makes a folder with the project `film`. */
export const makeBar = async (seconds = SECONDS): Promise<string> => {
  const folder = await scratch()
  await mkdir(join(folder, 'film'))
  await writeFile(join(folder, 'film', 'index.html'), page(seconds))
  await writeFile(join(folder, 'film', 'talk.vtt'), TALK)
  await writeTone(join(folder, 'film', 'tone.wav'), 440, seconds)
  return folder
}
