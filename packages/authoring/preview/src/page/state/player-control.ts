import { batch, effect } from '@preact/signals'
import type { VidPlayer } from '@vid/player'
import { takeTime } from './place.ts'
import * as playback from './playback.ts'
import { followPlayer } from './player-events.ts'
import { pictureRevision } from './project.ts'
import { stagedPicture } from './staged.ts'
import { edits } from './variables.ts'
import { hasCheckerboard } from './view.ts'

/** Milliseconds that a value must stay before the composition is loaded with it: a slider sends many. */
const TYPING_MS = 120

/** The address of a composition; behind a checkerboard, of the one in which nothing undrawn is white. */
const addressOf = (src: string) => (hasCheckerboard.value ? `${src}?vid-alpha=1` : src)

/** Milliseconds after which a composition is opened at its first frame: one of its frames may never be ready. */
const POSTER_MS = 3000

/** Opens where much is visible: the first frame of many compositions is empty. */
const openAtPoster = async (element: VidPlayer) => {
  playback.isLoading.value = true
  const timer = setTimeout(() => void element.load(), POSTER_MS)
  // Its error is shown by the player's event, and loading it again ends the search.
  await element.seekPoster().catch(() => undefined)
  clearTimeout(timer)
  playback.frame.value = element.frame
  playback.isLoading.value = false
}

const forget = () =>
  batch(() => {
    playback.reportedComposition.value = null
    playback.frames.value = 0
    playback.frame.value = 0
    playback.isPlaying.value = false
    playback.isLoading.value = true
    playback.playerError.value = null
    playback.pageErrors.value = []
    playback.replay.value = null
    playback.inOut.value = { start: null, end: null }
  })

/** Loads the composition whenever what is staged is another picture. */
const followStaged = (element: VidPlayer) => {
  let shownPicture = stagedPicture.peek()
  return effect(() => {
    const picture = stagedPicture.value
    // The first state is that of the document that is loaded already.
    if (picture !== shownPicture && picture !== null && shownPicture !== null) void element.load()
    shownPicture = picture ?? shownPicture
  })
}

/** Puts a player for a composition into the page, and has it do what the state says; returns how to remove it. */
export const attachPlayer = (place: HTMLElement, src: string, origin: string): (() => void) => {
  forget()
  const element = document.createElement('vid-player')
  const stop = new AbortController()
  followPlayer(element, origin, stop.signal)
  const time = takeTime()
  if (time) {
    playback.inOut.value = time.inOut
    void element.seekFrame(time.frame).catch(() => undefined)
  } else
    element.addEventListener('canplaythrough', () => void openAtPoster(element), {
      once: true,
      signal: stop.signal,
    })
  element.variables = edits.peek()
  element.src = addressOf(src)
  place.append(element)
  playback.player.value = element

  let shownRevision = pictureRevision.peek()
  let shownEdits = edits.peek()
  let timer = 0
  const effects = [
    effect(() => {
      element.volume = playback.volume.value
      element.muted = playback.isMuted.value
      element.loop = playback.isLooping.value
    }),
    effect(() => {
      element.src = addressOf(src)
    }),
    effect(() => {
      const { start, end } = playback.inOut.value
      element.range = start === null && end === null ? null : playback.range.value
    }),
    effect(() => {
      if (pictureRevision.value === shownRevision) return
      shownRevision = pictureRevision.value
      void element.load()
    }),
    followStaged(element),
    effect(() => {
      const changes = edits.value
      if (changes === shownEdits) return
      shownEdits = changes
      clearTimeout(timer)
      timer = setTimeout(() => {
        element.variables = changes
      }, TYPING_MS)
    }),
  ]
  return () => {
    clearTimeout(timer)
    stop.abort()
    for (const end of effects) end()
    element.remove()
    playback.player.value = null
  }
}
