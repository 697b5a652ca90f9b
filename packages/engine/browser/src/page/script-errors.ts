import { authoredPlace } from '@vid/core'
import { captureFailure, type ScriptError } from '../capture-errors.ts'
import { captureWarning } from '../capture-warnings.ts'
import type { CapturePage, PageOptions } from './page.ts'
import { callPage } from './page-call.ts'

const STYLE_FAILED = 'the style sheet, or one that it imports, did not load'

/** The entry, the text served at its address, and the receiver of warnings. */
type ErrorSource = Pick<PageOptions, 'entry' | 'warn'> & { readonly html: string }

/** Warns of script errors since the last call; rejects if a script threw before the first frame. */
export const reportScriptErrors = async (
  page: CapturePage,
  { entry, html, warn }: ErrorSource,
  isBeforeFirstFrame: boolean,
): Promise<void> => {
  await page.reportStill()
  const errors = await callPage(page, { doing: 'reporting' }, 'errors')
  const thrown: ScriptError[] = []
  for (const { message, source, line, isLoad, isStyle, isThrown, isNote } of errors) {
    if (isNote) {
      warn(captureWarning('VID_PAGE_DIFFERS', { message }))
      continue
    }
    if (isLoad && source && page.failedLoads.has(source)) continue
    const file = source && page.plain(source)
    const isCompiled = file === encodeURI(entry) && line !== undefined
    const place = isCompiled ? authoredPlace(html, line) : undefined
    const error = { message: page.plain(message), source: place?.file ?? file, line: place?.line ?? line }
    if (isThrown && isBeforeFirstFrame) thrown.push(error)
    else if (isStyle && error.source)
      warn(captureWarning('VID_ASSET_FAILED', { url: error.source, detail: STYLE_FAILED }))
    else warn(captureWarning('VID_SCRIPT_ERROR', error))
  }
  if (thrown.length > 0) throw captureFailure('VID_SCRIPT_FAILED', { errors: thrown })
}
