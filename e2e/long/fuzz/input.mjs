// Makes one input from its number: a project of one composition, and how to render it.
import { writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { mutateHtml } from './mutate-html.mjs'
import { mutateMedia } from './mutate-media.mjs'
import { randomOf } from './random.mjs'
import { makeParent } from './samples.mjs'

const STILL = /\.(gif|png|jpg|webp|svg)$/
const SOUND = /\.(mp3|wav|ogg|flac|m4a)$/
const EXTENSIONS = ['.mp4', '.webm', '.mov', '.mp3', '.wav', '.png', '.gif', '.svg', '.m3u8', '.txt', '']

const page = (elements) => `<!doctype html><html><head><style>
#root { background: #102030 } video, img { position: absolute; left: 0; top: 0; width: 64px; height: 36px }
</style></head><body><div id="root" data-composition-id="x" data-width="64" data-height="36" data-duration="0.2" data-no-timeline>
${elements.join('\n')}</div></body></html>`

/** A composition that shows one damaged media file, most often as what it once was. */
const mediaInput = (random, samples, facts) => {
  const name = random.pick(Object.keys(samples.media))
  const { bytes, done } = mutateMedia(samples.media[name], random, {
    ...facts,
    others: Object.values(samples.media),
  })
  const extension = random.chance(0.8) ? extname(name) : random.pick(EXTENSIONS)
  const file = `source${extension}`
  const tags = {
    img: `<img src="${file}">`,
    video: `<video src="${file}" data-start="0" data-duration="0.2"></video>`,
    audio: `<audio src="${file}" data-start="0" data-duration="0.2"></audio>`,
  }
  const usual = STILL.test(name) ? 'img' : SOUND.test(name) ? 'audio' : 'video'
  const tag = random.chance(0.85) ? usual : random.pick(Object.keys(tags))
  return {
    what: `${name} as ${file} in <${tag}>: ${done.join(', ')}`,
    entry: 'index.html',
    files: { 'index.html': page([tags[tag]]), [file]: bytes },
  }
}

/** A copy of a project whose entry, or a file that it embeds, is changed. */
const htmlInput = (random, samples) => {
  const { name, files } = random.pick(samples.projects)
  const pages = Object.keys(files).filter((file) => file.endsWith('.html'))
  const entries = pages.filter((file) => !file.includes('/'))
  const entry = entries.includes('index.html') && random.chance(0.9) ? 'index.html' : random.pick(entries)
  const changed = random.chance(0.8) ? entry : random.pick(pages)
  const { text, done } = mutateHtml(files[changed].toString(), random)
  return { what: `${name}/${changed}: ${done.join(', ')}`, entry, files: { ...files, [changed]: text } }
}

const FORMATS = ['mp4', 'mp4', 'mp4', 'mp4', 'mp4', 'webm', 'gif', 'png-sequence', 'mov']

/** Input `number` of a seed; `facts` has the file and the address that no input may reach. */
export const makeInput = (seed, number, samples, facts) => {
  const random = randomOf(seed, number)
  const input = random.chance(0.5) ? mediaInput(random, samples, facts) : htmlInput(random, samples)
  const settings = {
    format: random.pick(FORMATS),
    network: random.pick(['none', 'none', 'declared']),
    strict: random.chance(0.05),
    quality: 'draft',
    fps: 20,
    to: '0.1',
    workers: 1,
  }
  return { ...input, number, settings }
}

/** Writes the files of an input into a folder. */
export const writeInput = async (folder, { files }) => {
  for (const [name, content] of Object.entries(files)) {
    await makeParent(join(folder, name))
    await writeFile(join(folder, name), content)
  }
}
