/** Events by which a browser knows that somebody uses the page. */
const USES = ['pointerup', 'keydown']

const isRefused = (thrown: unknown): boolean => thrown instanceof DOMException && thrown.name === 'NotAllowedError'

const playSilently = (video: HTMLVideoElement, signal: AbortSignal): Promise<void> => {
  video.muted = true
  const unmute = () => {
    for (const type of USES) document.removeEventListener(type, unmute, true)
    video.muted = video.volume === 0
  }
  for (const type of USES) document.addEventListener(type, unmute, { capture: true, signal })
  return video.play()
}

/** Plays a video: before somebody has used the page only the pictures, if the browser wants it so; the sound follows. */
export const playVideo = (video: HTMLVideoElement, signal: AbortSignal): Promise<void> =>
  video.play().catch((thrown: unknown) => {
    if (isRefused(thrown) && !video.muted) return playSilently(video, signal)
    throw thrown
  })
