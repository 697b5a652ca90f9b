// Plays an HLS video: that of a page which names one, or on the page of `vid render --serve` what is rendered so far.
import Hls from 'hls.js'

const video = document.querySelector('video')
const status = document.querySelector('p')

/** Plays a playlist from its start, although it may still grow. */
const play = (video: HTMLVideoElement, address: string): (() => void) => {
  if (!Hls.isSupported()) {
    video.src = address
    return () => {}
  }
  const isEager = video.preload !== 'none'
  const hls = new Hls({ startPosition: 0, autoStartLoad: isEager })
  if (!isEager) video.addEventListener('play', () => hls.startLoad(0), { once: true })
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

const address = video?.dataset.hls
if (video && address !== undefined) play(video, address)
else if (video)
  follow(video).catch(() => {
    if (status) status.textContent = 'The render has ended.'
  })
