// The page of `vid render --serve`: it plays the video as far as it is rendered.
import Hls from 'hls.js'

const video = document.querySelector('video')
const status = document.querySelector('p')

/** Plays a playlist from its start, although it may still grow. */
const play = (video: HTMLVideoElement, address: string): (() => void) => {
  if (!Hls.isSupported()) {
    video.src = address
    return () => {}
  }
  const hls = new Hls({ startPosition: 0 })
  hls.on(Hls.Events.ERROR, (_, { fatal, details }) => {
    if (fatal && status) status.textContent = `The video cannot be played: ${details}.`
  })
  hls.loadSource(address)
  hls.attachMedia(video)
  return () => hls.destroy()
}

/** Plays each video that the render publishes: a render that is tried again publishes another. */
const follow = async (video: HTMLVideoElement): Promise<void> => {
  let address = ''
  let stop = () => {}
  for (;;) {
    const reply = await fetch(`state?shown=${encodeURIComponent(address)}`, { cache: 'no-store' })
    if (!reply.ok) return
    const state = (await reply.json()) as { readonly address: string }
    address = state.address
    stop()
    stop = play(video, address)
    if (status) status.textContent = ''
  }
}

if (video)
  follow(video).catch(() => {
    if (status) status.textContent = 'The render has ended.'
  })
