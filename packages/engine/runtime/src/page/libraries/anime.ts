import { compositionOf } from '../document/root.ts'
import type { Realm } from '../realm/natives.ts'
import type { Follower, FollowerPart, FollowerSource } from './follower.ts'
import { watchMethods } from './method-watch.ts'

/**
 * The parts of an anime.js v4 timer, animation or timeline that the runtime uses; times are in the unit of its engine.
 */
export interface AnimeInstance {
  paused: boolean
  _running: boolean
  readonly duration: number
  readonly iterationCount: number
  readonly iterationDuration: number
  readonly _currentTime: number
  readonly _speed: number
  readonly targets?: readonly unknown[]
  readonly _head?: AnimeInstance | null
  _next: AnimeInstance | null
  _prev: AnimeInstance | null
  seek(time: number): unknown
  resume(): unknown
}

interface AnimeEngine {
  _head: AnimeInstance | null
  _tail: AnimeInstance | null
  _hasChildren: boolean
  reqId: number
  readonly _speed: number
}

/** The length that anime.js uses for endless. */
const ENDLESS = 1e11

const CONTROLS = ['play', 'pause', 'resume', 'restart', 'reverse', 'alternate', 'complete', 'cancel', 'revert']
const MOVES = ['reset', 'seek', 'stretch']
const CALLBACKS = ['Begin', 'BeforeUpdate', 'Update', 'Render', 'Loop', 'Pause', 'Complete'].map((name) => `on${name}`)

/** Distinguishes an anime.js instance from other objects with `seek`: its lengths are properties, in its own unit. */
export const isAnime = (value: object): value is AnimeInstance =>
  'iterationDuration' in value && '_currentTime' in value && typeof Reflect.get(value, 'seek') === 'function'

const childrenOf = (instance: AnimeInstance): AnimeInstance[] => {
  const children: AnimeInstance[] = []
  for (let child = instance._head ?? null; child; child = child._next)
    // Below an animation are tweens, which have no time of their own.
    if (isAnime(child)) children.push(child, ...childrenOf(child))
  return children
}

/** The library's own empty callback has no body. */
const isEmpty = (callback: unknown): boolean =>
  typeof callback !== 'function' || /^\(?\)?\s*=>\s*\{\s*\}$/.test(Function.prototype.toString.call(callback))

/** Whether any part of an instance calls page code as time passes. */
export const callsPage = (instance: AnimeInstance): boolean =>
  [instance, ...childrenOf(instance)].some((child) =>
    [...CALLBACKS, '_resolve'].some((name) => !isEmpty(Reflect.get(child, name))),
  )

const elementOf = (instance: AnimeInstance): Element | undefined =>
  [instance, ...childrenOf(instance)]
    .flatMap(({ targets }) => targets ?? [])
    .find((target) => target instanceof Element)

/** Milliseconds, or Infinity. */
const lengthOf = ({ duration, iterationCount }: AnimeInstance): number =>
  iterationCount === Infinity || duration >= ENDLESS ? Infinity : duration

/** The animations of an instance, in seconds from `from`. */
const partsOf = (instance: AnimeInstance, from: number, rate: number): FollowerPart[] =>
  [instance, ...childrenOf(instance)].flatMap((each) => {
    const targets = (each.targets ?? []).filter((target) => target instanceof Element)
    if (targets.length === 0) return []
    const properties: string[] = []
    for (let tween: unknown = each._head; tween instanceof Object; tween = Reflect.get(tween, '_next'))
      properties.push(String(Reflect.get(tween, 'property') ?? ''))
    // The time of an instance is negative during its own delay.
    const start =
      each === instance ? 0 : Number(Reflect.get(each, '_offset') ?? 0) + Number(Reflect.get(each, '_delay') ?? 0)
    return [
      {
        targets,
        properties: [...new Set(properties.filter(Boolean))],
        start: Math.max(0, start - from) / rate,
        end: (start + lengthOf(each) - from) / rate,
      },
    ]
  })

const reached = new WeakMap<AnimeInstance, number>()

/** Seeks to milliseconds; a finished instance is left at its end, since each seek there would complete it again. */
export const seekAnime = (instance: AnimeInstance, time: number, seek = instance.seek): void => {
  const to = Math.min(time, lengthOf(instance))
  if (reached.get(instance) === to) return
  reached.set(instance, to)
  seek.call(instance, to)
}

/** Seconds of an instance that plays at its own speed; Infinity when endless. */
export const animeSeconds = (instance: AnimeInstance): number => lengthOf(instance) / 1000

/**
 * Seeks the instances that anime.js plays when the page begins. An instance that page code controls later returns to
 * the engine's loop, which runs on the clock.
 */
export const createAnime = (realm: Realm, registered: () => ReadonlySet<object>): FollowerSource => {
  const followed = new Map<AnimeInstance, Follower>()

  const engines = (): AnimeEngine[] => {
    const copies = (Reflect.get(realm, 'AnimeJS') ?? []) as { readonly engine?: AnimeEngine }[]
    return [...new Set([...copies].map(({ engine }) => engine))].filter((engine) => engine !== undefined)
  }

  const follow = (instance: AnimeInstance, engine: AnimeEngine) => {
    const from = instance._currentTime
    const { seek } = instance
    // The speed of the engine converts milliseconds to the unit that the page has chosen.
    const rate = () => 1000 * instance._speed * engine._speed
    const unwatch = watchMethods(instance, [...CONTROLS, ...MOVES], () => {
      followed.delete(instance)
      unwatch()
      instance.resume()
    })
    const target = elementOf(instance)
    const element = target && compositionOf(target)
    followed.set(instance, {
      name: 'anime',
      ...(element && { element }),
      seek: (seconds) => seekAnime(instance, from + seconds * rate(), seek),
      duration: () => (lengthOf(instance) - from) / rate(),
      parts: () => partsOf(instance, from, rate()),
    })
  }

  return {
    followers: () => [...followed.values()],
    loading: () => [],
    begin() {
      for (const engine of engines()) {
        const playing: AnimeInstance[] = []
        for (let child = engine._head; child; child = child._next) playing.push(child)
        for (const instance of playing) {
          if (!instance.paused && !registered().has(instance)) follow(instance, engine)
          instance.paused = true
          instance._running = false
          instance._next = instance._prev = null
        }
        // The engine has nothing left to do: its loop would count as a loop of the page.
        engine._head = engine._tail = null
        engine._hasChildren = false
        realm.cancelAnimationFrame(engine.reqId)
        engine.reqId = 0
      }
    },
    hasCallbacks: () => [...followed.keys()].some(callsPage),
  }
}
