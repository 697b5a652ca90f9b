import type { PlayerCaptions } from '../player-session.ts'

/** The captions of a video, which the browser draws. */
export const videoCaptions = ({ textTracks }: HTMLVideoElement, onChange: () => void): PlayerCaptions => {
  const controller = new AbortController()
  for (const type of ['change', 'addtrack', 'removetrack'])
    textTracks.addEventListener(type, onChange, { signal: controller.signal })
  return { list: textTracks, show: () => undefined, close: () => controller.abort() }
}
