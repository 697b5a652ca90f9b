import { basename, extname, relative, resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import { filmSettings } from '@vid/film/options'
import type { Renderer } from '@vid/render'
import { fail } from '../errors.ts'
import { readFilmCaptions } from '../export/film-captions.ts'
import type { exportOptions } from './options.ts'
import { writerOf } from './write-captions.ts'

type ExportRun = CommandRun<typeof exportOptions, { readonly dir: string }>

/** Files of captions that were written. */
export interface ExportedCaptions {
  readonly files: readonly {
    /** From the current folder. */
    readonly file: string
    readonly language: string | null
    readonly cues: number
  }[]
}

/** The path for a language, where there are several. */
const pathFor = (output: string, language: string, isOne: boolean): string => {
  const extension = extname(output)
  return isOne ? output : `${output.slice(0, -extension.length)}.${language || 'und'}${extension}`
}

/** The work of `vid captions export`. */
export const runExport = async (run: ExportRun, renderer: Renderer): Promise<ExportedCaptions> => {
  const { cwd, signal, report, options } = run
  const { dir } = run.arguments
  const { from, to, force = false, output = `${basename(resolve(cwd, dir))}.vtt` } = options
  const writer = writerOf(output)
  const settings = { ...filmSettings(run, dir), ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const captions = await readFilmCaptions(renderer, settings, { signal, onWarning: report.warn })
  if (captions.size === 0) throw fail('VID_CAPTIONS_NONE', { folder: dir })
  const files = []
  for (const [language, content] of captions) {
    const path = resolve(cwd, pathFor(output, language, captions.size === 1))
    await writer.write(path, content, force)
    files.push({ file: relative(cwd, path), language: content.language ?? null, cues: content.cues.length })
  }
  return { files }
}
