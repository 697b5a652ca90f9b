import { batch } from '@preact/signals'
import type { PlayerError, PlayerEventDetails, VidPlayer } from '@vid/player'
import * as playback from './playback.ts'
import { watchSilence } from './silence.ts'

/** The message by which the document in place of a broken composition says what is wrong with it. */
const PROBLEM_MESSAGE = 'vid-preview-problem'

const textOf = (value: unknown, name: string): string =>
  value instanceof Object && name in value ? String(Reflect.get(value, name)).slice(0, 2000) : ''

/** A composition is code of anyone: of what it sends, only texts are taken. */
const problemOf = (data: unknown): PlayerError | undefined => {
  if (textOf(data, 'type') !== PROBLEM_MESSAGE) return undefined
  const problem: unknown = Reflect.get(Object(data), 'problem')
  const [code, message, hint] = ['code', 'message', 'hint'].map((name) => textOf(problem, name))
  return message ? { code: code ?? '', message, hint: hint ?? '' } : undefined
}

const hearProblems = (origin: string, signal: AbortSignal, hear: (problem: PlayerError) => void): void => {
  const onMessage = ({ origin: sender, data }: MessageEvent<unknown>) => {
    const problem = sender === origin ? problemOf(data) : undefined
    if (problem) hear(problem)
  }
  window.addEventListener('message', onMessage, { signal })
}

const showLoaded = (player: VidPlayer) =>
  batch(() => {
    playback.reportedComposition.value = player.composition
    playback.frames.value = player.frames
    playback.frame.value = player.frame
    playback.isLoading.value = false
    playback.playerError.value = null
    playback.replay.value = null
  })

const showFrame = (player: VidPlayer, { frame, exact }: PlayerEventDetails['frame']): void => {
  // While one scrubs, another frame is already requested: the playhead must not go back to this one.
  if (player.paused && frame !== player.frame) return
  batch(() => {
    playback.frame.value = frame
    playback.isExact.value = exact
    playback.replay.value = null
  })
}

/** Keeps the state of the page as the player's is; ends with the signal. */
export const followPlayer = (player: VidPlayer, origin: string, signal: AbortSignal): void => {
  const on = <K extends string>(type: K, hear: (detail: unknown) => void) =>
    player.addEventListener(type, (event) => hear((event as CustomEvent).detail), { signal })
  let problem: PlayerError | undefined

  const silence = watchSilence(signal)
  for (const type of ['loadstart', 'seeking', 'progress']) on(type, silence.begin)
  for (const type of ['canplaythrough', 'seeked', 'error']) on(type, silence.end)

  on('loadstart', () => {
    problem = undefined
    playback.isLoading.value = true
    playback.pageErrors.value = []
  })
  on('loadedmetadata', () => {
    playback.reportedComposition.value = player.composition
    playback.frames.value = player.frames
  })
  on('canplaythrough', () => showLoaded(player))
  on('frame', (detail) => showFrame(player, detail as PlayerEventDetails['frame']))
  on('play', () => {
    playback.isPlaying.value = true
  })
  on('pause', () => {
    playback.isPlaying.value = false
    // The frame whose time has come may be a later one than the last that was shown.
    playback.frame.value = player.frame
  })
  on('progress', (detail) => {
    playback.replay.value = detail as PlayerEventDetails['progress']
  })
  on('seeked', () => {
    playback.replay.value = null
  })
  on('problem', (detail) => {
    const { errors } = detail as PlayerEventDetails['problem']
    playback.pageErrors.value = [...playback.pageErrors.value, ...errors]
  })
  on('error', (detail) => {
    playback.isLoading.value = false
    playback.playerError.value = problem ?? (detail as PlayerError)
  })
  hearProblems(origin, signal, (documentProblem) => {
    problem = documentProblem
    silence.end()
    // A document that waits for its service worker never ends loading: the player would not give up.
    batch(() => {
      playback.isLoading.value = false
      playback.playerError.value = documentProblem
    })
  })
}
