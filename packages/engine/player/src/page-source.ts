import type { CompositionView } from './composition-view.ts'
import { playerFailure } from './errors.ts'
import { NOT_PREPARED, type PageSource } from './player-page.ts'
import { PREPARED_MARK } from './prepared-mark.ts'

const readText = async (src: string, signal: AbortSignal): Promise<string | undefined> => {
  const response = await fetch(src, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted()
    if (cause instanceof TypeError) return undefined // not there, or another origin's that allows no reading
    throw cause
  })
  if (response && !response.ok)
    throw playerFailure('VID_PLAYER_LOAD', { src, reason: `the server answered ${response.status}` })
  return response?.text()
}

/** Compiles and prepares a composition as it is on a server; the code for it is loaded only now. */
const preparePlain = async (url: string, html: string, signal: AbortSignal): Promise<PageSource> => {
  const { preparePlainComposition } = await import('./plain-composition.ts')
  return { html: await preparePlainComposition(url, html, signal) }
}

/**
 * Opens a composition whether or not it is prepared. One of another origin is loaded first, since its text can often not
 * be read; one of this origin is read first, so that a plain one never runs with the rights of this page.
 */
export const openSource = async (
  src: string,
  signal: AbortSignal,
  open: (source: PageSource) => Promise<CompositionView>,
): Promise<CompositionView> => {
  const url = new URL(src, document.baseURI).href
  const isForeign = new URL(url).origin !== location.origin
  if (isForeign) {
    const view = await open({ url, isPrepared: false }).catch((thrown: unknown) => {
      if (thrown !== NOT_PREPARED) throw thrown
    })
    if (view) return view
  }
  const html = await readText(url, signal)
  if (html === undefined) {
    const reason = 'it is not prepared for a player, and cannot be read from this page'
    throw playerFailure('VID_PLAYER_LOAD', { src, reason })
  }
  if (!html.includes(PREPARED_MARK)) return open(await preparePlain(url, html, signal))
  return open({ url, isPrepared: true })
}
