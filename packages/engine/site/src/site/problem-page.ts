import { escapeHtml, type VidError } from '@vid/protocol'

/** The message by which the document of a composition that cannot be shown reports the reason to the preview. */
export const PROBLEM_MESSAGE = 'vid-preview-problem'

/** The document in place of a composition that cannot be put together. */
export const problemPage = (error: VidError, pageOrigin: string): string => {
  const { code, message, hint } = error.toJSON()
  const data = JSON.stringify({ type: PROBLEM_MESSAGE, problem: { code, message, hint } }).replaceAll('<', '\\u003c')
  return `<!doctype html><meta charset="utf-8"><title>${code}</title>
<p>${escapeHtml(message)}</p><p>${escapeHtml(hint)}</p>
<script>parent.postMessage(${data}, ${JSON.stringify(pageOrigin)})</script>`
}
