import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFfmpeg, runProcess } from '@vid/ffmpeg'
import { here, scratch } from './vid.ts'

/** A file that a page shows whole, under its name. */
export interface PageFile {
  readonly name: string
  readonly html: string
}

/** The text of a page of `docs/`. */
export const readPage = (name: string): Promise<string> => readFile(here(`../docs/${name}`), 'utf8')

/** The files that a text shows whole. */
export const filesIn = (text: string): readonly PageFile[] =>
  [...text.matchAll(/^`([^`]+)`:\n\n```html\n(.*?)^```$/gms)].map(([, name = '', html = '']) => ({
    name,
    html,
  }))

/** The targets of the links of a text, except addresses, that do not exist. */
export const brokenLinks = async (text: string): Promise<readonly string[]> => {
  const targets = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
  const existing = await Promise.all(
    targets.map((target) =>
      stat(here(`../docs/${target}`)).then(
        () => true,
        () => false,
      ),
    ),
  )
  return targets.filter((_, n) => !existing[n])
}

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#e63946"/></svg>'

/** Writes files into a new folder, beside the media that the examples of pages refer to. */
export const writeExample = async (files: readonly PageFile[]): Promise<string> => {
  const folder = join(await scratch(), 'example')
  for (const { name, html } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), html)
  }
  const { ffmpeg } = await findFfmpeg({})
  const assets = join(folder, 'assets')
  await mkdir(assets)
  await writeFile(join(assets, 'logo.svg'), logo)
  const make = (source: string, ...args: string[]) =>
    runProcess(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', source, ...args], undefined)
  await make('testsrc=size=320x180:rate=30:duration=2', '-pix_fmt', 'yuv420p', join(assets, 'footage.mp4'))
  await make('sine=frequency=440:duration=1', join(assets, 'music.wav'))
  await make('sine=frequency=880:duration=2', join(assets, 'voice.wav'))
  return folder
}
