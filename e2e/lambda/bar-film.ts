import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeTone } from '../support/sound.ts'
import { scratch } from '../support/vid.ts'

export const SECONDS = 6
const TALK = 'WEBVTT\n\n00:00.500 --> 00:01.500\nred, then green\n'

/** A bar that crosses the picture in chunks of a second, with a tone and captions. */
const PAGE = `<!doctype html><html><body>
<div data-composition-id="main" data-width="320" data-height="180" data-duration="${SECONDS}" data-no-timeline style="background:#123">
  <div id="bar" style="position:absolute;top:20px;width:40px;height:140px;background:#fc3"></div>
  <track kind="captions" src="talk.vtt" srclang="en" label="English" data-start="0">
  <audio src="tone.wav" data-start="0" data-duration="${SECONDS}"></audio>
</div>
<style>[data-shape='9:16'] { background: #c00 !important }</style>
<script>
  document.getElementById('bar').animate([{ left: '0' }, { left: '280px' }], { duration: ${SECONDS * 1000}, fill: 'both' })
</script></body></html>`

/** Cuts a render into chunks of a second, and waits for it. */
export const SECOND_CHUNKS = ['--chunk-size', '30', '--quality', 'draft', '--wait', '--poll-interval', '0.2'] as const

/** Makes a folder with the project `film`. */
export const makeBar = async (): Promise<string> => {
  const folder = await scratch()
  await mkdir(join(folder, 'film'))
  await writeFile(join(folder, 'film', 'index.html'), PAGE)
  await writeFile(join(folder, 'film', 'talk.vtt'), TALK)
  await writeTone(join(folder, 'film', 'tone.wav'), 440, SECONDS)
  return folder
}
