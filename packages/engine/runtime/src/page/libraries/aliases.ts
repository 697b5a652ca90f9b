import type { Realm } from '../realm/natives.ts'
import { isAnime, seekAnime } from './anime.ts'
import type { Follower } from './follower.ts'
import { lengthOfRun, lottieFrameAt } from './lottie-frame.ts'

/** The names by which existing compositions register objects to be seeked. */
interface Aliases {
  __hf?: Follower
  __hfLottie?: unknown
  __hfAnime?: unknown
}

/** Objects that an embedded composition registers, to follow the time of its host. */
export interface Handover {
  readonly host: Element
  readonly lottie: unknown
  readonly anime: unknown
}

/** The parts of a registered Lottie player that the runtime uses, of lottie-web or dotLottie. */
interface LottiePlayer {
  goToAndStop?(value: number, isFrame: boolean): void
  setFrame?(frame: number): void
  pause?(): void
  readonly isLoaded?: boolean
  readonly totalFrames?: number
  readonly frameRate?: number
  /** Seconds, at speed 1. */
  readonly duration?: number
  readonly speed?: number
  readonly playSpeed?: number
  readonly loop?: boolean | number
  readonly mode?: string
  readonly wrapper?: unknown
  readonly canvas?: unknown
}

interface AnimePlayer {
  seek(milliseconds: number): unknown
  pause?(): unknown
  readonly duration?: unknown
}

/** Objects that a page has registered by the older names. */
export interface AliasSource {
  followers(): Follower[]
  /** The objects themselves, so that no other source seeks them too. */
  players(): object[]
  /** Stops all playback. */
  begin(): void
}

const objects = <T>(value: unknown): T[] => [value].flat().filter((item) => item instanceof Object) as T[]

/** A page may register the player itself or an object with the player. */
const unwrap = (player: LottiePlayer & { animation?: LottiePlayer }): LottiePlayer =>
  player.goToAndStop || player.setFrame ? player : (player.animation ?? player)

const runOf = (player: LottiePlayer) => {
  const { totalFrames: frames = 0, duration = 0, frameRate, speed, playSpeed } = player
  const rate = (frameRate ?? (duration > 0 ? frames / duration : 0)) * (speed ?? playSpeed ?? 1)
  const plays = player.loop === true ? Infinity : (Number(player.loop) || 0) + 1
  return { frames, rate: player.mode === 'reverse' ? -rate : rate, plays }
}

const lottieFollower = (player: LottiePlayer, host?: Element): Follower => {
  const element = [player.wrapper, player.canvas, host].find((candidate) => candidate instanceof Element)
  return {
    name: 'lottie',
    ...(element instanceof Element && { element }),
    seek(seconds) {
      const run = runOf(player)
      if (run.frames > 0 && run.rate !== 0) {
        const frame = lottieFrameAt(run, seconds)
        if (player.goToAndStop) player.goToAndStop(frame, true)
        else player.setFrame?.(frame)
      } else player.goToAndStop?.(seconds * 1000, false)
    },
    duration() {
      const run = runOf(player)
      return run.frames > 0 ? lengthOfRun(run) : Number.NaN
    },
  }
}

const animeFollower = (player: AnimePlayer, host?: Element): Follower => ({
  name: 'anime',
  ...(host && { element: host }),
  seek: (seconds) => (isAnime(player) ? seekAnime(player, seconds * 1000) : void player.seek(seconds * 1000)),
  duration: () => Number(typeof player.duration === 'number' ? player.duration : Number.NaN) / 1000,
})

const firstOf = <K, V>(entries: readonly (readonly [K, V])[]): Map<K, V> => {
  const byKey = new Map<K, V>()
  for (const [key, value] of entries) if (!byKey.has(key)) byKey.set(key, value)
  return byKey
}

/** Reads the older names of a window each time, since a page may register more at any time. */
export const createAliases = (realm: Realm, handovers: () => readonly Handover[]): AliasSource => {
  const page = realm as Realm & Aliases
  const all = (): (Partial<Handover> & Omit<Handover, 'host'>)[] => [
    { lottie: page.__hfLottie, anime: page.__hfAnime },
    ...handovers(),
  ]
  const lottie = () =>
    firstOf(
      all().flatMap(({ host, lottie }) =>
        objects<LottiePlayer>(lottie).map((player) => [unwrap(player), host] as const),
      ),
    )
  const anime = () =>
    firstOf(
      all()
        .flatMap(({ host, anime }) => objects<AnimePlayer>(anime).map((player) => [player, host] as const))
        .filter(([{ seek }]) => typeof seek === 'function'),
    )
  return {
    followers: () => [
      ...(typeof page.__hf?.seek === 'function' ? [page.__hf] : []),
      ...[...lottie()].map(([player, host]) => lottieFollower(player, host)),
      ...[...anime()].map(([player, host]) => animeFollower(player, host)),
    ],
    players: () => [...lottie().keys(), ...anime().keys()],
    begin() {
      for (const player of [...lottie().keys(), ...anime().keys()]) player.pause?.()
    },
  }
}
