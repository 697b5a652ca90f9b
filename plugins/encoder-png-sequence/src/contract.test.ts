import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPngs } from '@vid/ffmpeg'
import { decodePng, encoderSuite } from '@vid/testkit'
import pngSequence from './index.ts'

/** Segments are images one after another, the joined video is a folder. */
async function* decode(path: string) {
  if (path.endsWith('.pngs'))
    for await (const image of readPngs(path, new AbortController().signal)) yield decodePng(image).data
  else for (const name of (await readdir(path)).sort()) yield decodePng(await readFile(join(path, name))).data
}

encoderSuite(pngSequence, { decode })
