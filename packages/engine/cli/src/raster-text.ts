import { noSources, type PluginOf } from '@vid/kernel'
import type { RenderRequest } from '@vid/protocol'

/** What says how pages are drawn. */
export interface RasterQuestion {
  readonly capture: PluginOf<'capture'>
  readonly request: RenderRequest
  /** An absolute folder; nothing is written into it. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** As a capture engine names the instruction sets in its build. */
const LEVEL = /(?:^|, )raster ([^,]+)/

/**
 * With which instruction sets renders with this request draw pages, and why; undefined for an engine that knows no such
 * choice. Rejects where those of the processor are required and not known.
 */
export const rasterText = async ({ capture, request, folder, signal }: RasterQuestion): Promise<string | undefined> => {
  const notes: string[] = []
  const context = {
    options: capture.options,
    signal,
    projectDir: folder,
    workDir: folder,
    sources: noSources,
    warn: () => {},
    note: (reason: string) => void notes.push(reason),
  }
  if (!capture.settings) return undefined
  // The GPU has a check of its own.
  const settings = await capture.settings({ ...request, browserGpu: false }, context)
  if (settings.raster !== 'native') {
    if (request.raster === 'portable') return 'portable, as asked for: the same bytes on every processor'
    const reason = notes.map((note) => note.replace(/^raster portable: /, '')).join('; ')
    return `portable: ${reason || 'this browser has no other way'}`
  }
  const [, level = 'unknown'] = LEVEL.exec(await capture.build(context, settings)) ?? []
  const way = request.raster === 'native' ? 'as asked for' : 'which is fastest'
  return `native, ${way}: ${level}; --raster portable gives the bytes of every processor`
}
