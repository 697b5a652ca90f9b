import { shapedText, withRootSize } from '@vid/core'
import { readTasksOf } from '@vid/kernel'
import { readFrameRate } from '@vid/protocol'
import { type AskedDocument, openFonts, preparePublicDocument, type SiteFonts } from '@vid/site'
import { chooseSize } from '../worker/size.ts'
import type { PlayedComposition } from './publications.ts'

/** A document of a played composition. */
export interface PlayedDocument extends AskedDocument {
  readonly entry: string
  /** Absolute folder of its unpacked project. */
  readonly folder: string
  readonly request: PlayedComposition['request']
}

let fonts: Promise<SiteFonts> | undefined

const define = readTasksOf(import.meta.url)

/** Prepares a document that plays a composition with the settings of its render. */
export const playedDocumentTask = define(
  'playedDocumentTask',
  async ({ folder, request, ...document }: PlayedDocument, signal): Promise<string> => {
    const { fps, variables, composition: entry, shape } = request
    fonts ??= openFonts()
    return preparePublicDocument(folder, document, {
      fonts: await fonts,
      signal,
      settings: { fps: readFrameRate(fps) ?? 30, values: variables },
      shape(html, composition) {
        const { file } = composition
        if (file === entry && shape !== undefined) return shapedText(html, { file, shape })
        const { layout } = file === entry ? chooseSize(composition, request) : {}
        return (layout && withRootSize(html, layout)) ?? html
      },
    })
  },
)
