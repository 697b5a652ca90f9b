// Plays an HLS video: that of a page which names one, or on the page of `vid render --serve` what is rendered so far.
import { playHls } from '@vid/player/hls-video'

const status = document.querySelector('p')

const say = (text: string): void => {
  if (status) status.textContent = text
}

const play = (video: HTMLVideoElement, address: string) =>
  playHls({
    video,
    address,
    onFailure: (reason) => say(`The video cannot be played: ${reason}.`),
    onIncomplete: () => say('The render failed or was stopped: the video ends early.'),
  })

/** Plays each video that the render publishes: a render that is tried again publishes another. */
const follow = async (video: HTMLVideoElement): Promise<void> => {
  let address = ''
  let hls: ReturnType<typeof play> | undefined
  for (;;) {
    const reply = await fetch(`state?shown=${encodeURIComponent(address)}`, { cache: 'no-store' })
    if (!reply.ok) return
    const state = (await reply.json()) as { readonly address: string }
    address = state.address
    hls?.close()
    say('')
    hls = play(video, address)
  }
}

const video = document.querySelector('video')
const address = video?.dataset.hls
if (video && address !== undefined) play(video, address)
else if (video) follow(video).catch(() => say('The render has ended.'))
