// Writes one side of an entry as a project.
import { link, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sideOf } from './entries.mjs'
import { makeMedia, recipeOf } from './media.mjs'

const pageOf = (name, body) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${name}</title></head>
<body>
${body}</body>
</html>
`

const mediaIn = (texts) => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(/media\/([\w.-]+)/g)].map(([, name]) => name))),
]

/**
 * Writes the composition into `folder`, with the media that it names and that can be made; `media` keeps those of all compositions.
 * `convert` may change a page, for a program that reads another dialect.
 */
export const writeComposition = async (entry, side, folder, { media, signal, convert = (page) => page }) => {
  const texts = Object.entries(entry.files).map(([file, text]) => [file, sideOf(text, side)])
  for (const [file, text] of texts) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), convert(file === 'index.html' ? pageOf(entry.name, text) : text, file))
  }
  // A file that a script names by parts is not needed: the corpus writes names whole.
  for (const name of mediaIn(texts.map(([, text]) => text)).filter(recipeOf)) {
    const file = await makeMedia(name, media, signal)
    await mkdir(join(folder, 'media'), { recursive: true })
    await link(file, join(folder, 'media', name))
  }
}
