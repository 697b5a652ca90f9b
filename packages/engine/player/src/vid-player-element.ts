import { ratioOf } from '@vid/protocol'
import type { ElementPatch, PageBox, PlayerComposition } from '@vid/runtime'
import { type Controls, createControls } from './controls/controls.ts'
import { takeEarlyProperties } from './early-properties.ts'
import type { PlayerCaptions, PlayerSession, SessionOpening } from './player-session.ts'
import { ReflectedAttributes } from './reflected-attributes.ts'
import { asFailure, openSession } from './session.ts'
import { createStage, type PlayerStage } from './stage.ts'
import { createCaptions } from './text/captions.ts'
import { readVariablesAttribute } from './variables-attribute.ts'
import type { FrameRange, PlayerError, PlayerEventDetails, VidPlayer } from './vid-player.ts'

const SWITCHES = ['controls', 'autoplay', 'loop', 'muted'] as const
const OBSERVED = ['src', 'poster', 'variables', ...SWITCHES]

/** The element `<vid-player>`. */
export class VidPlayerElement extends ReflectedAttributes implements VidPlayer {
  static readonly observedAttributes = OBSERVED

  #stage: PlayerStage | undefined
  #controls: Controls | undefined
  #session: PlayerSession | undefined
  #captions: PlayerCaptions = createCaptions()
  #loading: { readonly controller: AbortController; readonly done: Promise<void> } | undefined
  #error: PlayerError | null = null
  #paused = true
  #ended = false
  #seeking = false
  #readyState = 0
  #rate = 1
  #volume = 1
  #range: FrameRange | null = null
  #variables: Readonly<Record<string, unknown>> | undefined
  #queued = false
  /** Where it begins: the seek that came before the frames. */
  #beginning: { readonly frame: number } | { readonly seconds: number } = { frame: 0 }

  connectedCallback(): void {
    takeEarlyProperties(this)
    this.#stage ??= createStage(this)
    this.#stage.setPoster(this.poster)
    this.#showControls()
    this.#loadSoon()
  }

  disconnectedCallback(): void {
    // Moving an element removes and adds it in one task.
    queueMicrotask(() => {
      if (!this.isConnected) this.#dispose()
    })
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.isConnected) return
    if (name === 'src') this.#loadSoon()
    if (name === 'variables') {
      this.#variables = undefined
      this.#loadSoon()
    }
    if (name === 'poster' && this.#readyState < 4) this.#stage?.setPoster(this.poster)
    if (name === 'controls') this.#showControls()
    if (name === 'muted') this.#applyVolume()
  }

  get variables(): Readonly<Record<string, unknown>> {
    return this.#variables ?? readVariablesAttribute(this.getAttribute('variables'))
  }
  set variables(values: Readonly<Record<string, unknown>> | string | null | undefined) {
    // Frameworks set an equal object whenever they draw, an empty text for none, and what stands in the attribute.
    if (typeof values === 'string' && values !== '') {
      if (this.#variables) this.#loadSoon()
      this.#variables = undefined
      this.setAttribute('variables', values)
      return
    }
    const copy = structuredClone(values || {})
    const isSame = this.#hasVariables(copy)
    this.#variables = copy
    if (!isSame) this.#loadSoon()
  }
  get range(): FrameRange | null {
    return this.#range
  }
  set range(range: FrameRange | null | undefined) {
    this.#range = range ? { start: range.start, end: range.end } : null
  }
  get volume(): number {
    return this.#volume
  }
  set volume(level: number | null | undefined) {
    const value = Number(level ?? 1)
    if (!(value >= 0 && value <= 1)) throw new DOMException('The volume is outside 0 … 1.', 'IndexSizeError')
    this.#volume = value
    this.#applyVolume()
  }
  get playbackRate(): number {
    return this.#rate
  }
  set playbackRate(rate: number | null | undefined) {
    const value = Number(rate ?? 1)
    if (!(value >= 0.0625 && value <= 16))
      throw new DOMException('The speed is outside 0.0625 … 16.', 'NotSupportedError')
    this.#rate = value
    this.#session?.playback.update()
    this.#emit('ratechange')
  }
  get currentTime(): number {
    if (this.#session) return this.#session.playback.time
    return 'seconds' in this.#beginning ? this.#beginning.seconds : 0
  }
  set currentTime(value: number | null | undefined) {
    const seconds = Number(value ?? Number.NaN)
    if (Number.isNaN(seconds)) return
    const { times } = this.#session ?? {}
    if (times) void this.seekFrame(times.frameAt(seconds)).catch(() => undefined)
    else this.#beginning = { seconds }
  }
  get duration(): number {
    return this.#session?.duration ?? Number.NaN
  }
  get paused(): boolean {
    return this.#paused
  }
  get ended(): boolean {
    return this.#ended
  }
  get seeking(): boolean {
    return this.#seeking
  }
  get readyState(): number {
    return this.#readyState
  }
  get videoWidth(): number {
    return this.#session?.size.width ?? 0
  }
  get videoHeight(): number {
    return this.#session?.size.height ?? 0
  }
  get error(): PlayerError | null {
    return this.#error
  }
  get textTracks(): TextTrackList {
    return this.#captions.list
  }
  get frame(): number {
    return this.#session?.playback.frame ?? 0
  }
  get frames(): number {
    return this.#session?.times.count ?? 0
  }
  get fps(): number {
    const { num, den } = ratioOf(this.#session?.times.rate ?? 0)
    return num / den
  }
  get composition(): PlayerComposition | null {
    return this.#session?.view?.composition ?? null
  }

  async play(): Promise<void> {
    if (this.#paused) {
      this.#paused = false
      this.#emit('play')
    }
    this.#ended = false
    await this.#loading?.done
    if (this.#error && !this.#session) throw new DOMException(this.#error.message, 'NotSupportedError')
    if (!this.#paused) this.#session?.playback.play()
  }

  pause(): void {
    if (this.#paused) return
    this.#paused = true
    this.#emit('timeupdate')
    this.#emit('pause')
    this.#session?.playback.pause().catch((thrown: unknown) => this.#fail(thrown))
  }

  async seekFrame(frame: number): Promise<void> {
    const { playback } = this.#session ?? {}
    if (!playback) {
      this.#beginning = { frame }
      await Promise.resolve() // what was set just now begins to load
      return this.#loading?.done
    }
    this.#ended = false
    this.#seeking = true
    this.#emit('seeking')
    try {
      await playback.seek(frame)
    } catch (thrown) {
      this.#fail(thrown)
      throw thrown
    } finally {
      this.#seeking = false
    }
    this.#emit('timeupdate')
    this.#emit('seeked')
  }

  async seekPoster(): Promise<void> {
    const session = this.#session
    if (!session?.view || session.view.composition.probe.stateful) return
    const frame = await session.view.findPoster()
    if (this.#session === session && this.#paused) await this.seekFrame(frame)
  }

  async patch(patches: readonly ElementPatch[]): Promise<void> {
    await this.#session?.view?.patch(patches)
  }

  async boxes(): Promise<readonly PageBox[]> {
    return (await this.#session?.view?.boxes()) ?? []
  }

  load(): Promise<void> {
    this.#loading?.controller.abort()
    const controller = new AbortController()
    const done = this.#open(controller.signal).finally(() => {
      if (this.#loading?.controller === controller) this.#loading = undefined
    })
    this.#loading = { controller, done }
    return done
  }

  /** Several attributes that change together are one change. */
  #loadSoon(): void {
    if (this.#queued) return
    this.#queued = true
    queueMicrotask(() => {
      this.#queued = false
      if (this.isConnected && this.src) void this.load()
    })
  }

  async #open(signal: AbortSignal): Promise<void> {
    const stage = this.#stage
    if (!stage) return
    const before = this.#session
    this.#emit('loadstart')
    let session: PlayerSession | undefined
    try {
      session = await openSession({
        src: this.src,
        place: stage.sheet,
        picture: stage.picture,
        signal,
        launch: { kind: 'vid-player', variables: this.variables },
        size: before?.size ?? { width: 1920, height: 1080 },
        onEvent: () => undefined,
        onReplay: (done, total) => this.#emit('progress', { done, total }),
        settings: (count) => ({ range: this.#playedRange(count), loop: this.loop, rate: this.#rate }),
        on: this.#playbackEvents(),
      })
      if (signal.aborted) session.playback.close()
      else await this.#replace(session, before, signal)
    } catch (thrown) {
      // New pages lie behind the others: one that stays would hide all later ones.
      if (this.#session !== session) session?.playback.close()
      if (!signal.aborted) this.#fail(thrown)
    }
  }

  /** Puts a session in the place of the one before, at the same frame. */
  async #replace(session: PlayerSession, before: PlayerSession | undefined, signal: AbortSignal): Promise<void> {
    const stage = this.#stage
    if (!before) this.#announce(session)
    await session.playback.seek(before?.playback.frame ?? this.#firstFrame(session))
    if (signal.aborted) return session.playback.close()
    before?.playback.close()
    stage?.setSize(session.size)
    if (before) this.#announce(session)
    this.#error = null
    this.#readyState = 4
    stage?.setPoster('')
    this.#applyVolume()
    for (const type of ['loadeddata', 'canplay', 'canplaythrough'] as const) this.#emit(type)
    if (!this.#paused) session.playback.play()
    else if (!before && this.autoplay) void this.play()
    session.reportProblems()
  }

  #hasVariables(values: Readonly<Record<string, unknown>>): boolean {
    try {
      return JSON.stringify(values) === JSON.stringify(this.variables)
    } catch {
      return false // the attribute is no JSON: loading it has failed, or will with these values instead of it
    }
  }

  #firstFrame({ times }: PlayerSession): number {
    const beginning = this.#beginning
    this.#beginning = { frame: 0 }
    return 'seconds' in beginning ? times.frameAt(beginning.seconds) : beginning.frame
  }

  #announce(session: PlayerSession): void {
    this.#session = session
    this.#captions.close()
    this.#captions = session.openCaptions({
      place: this.#stage?.picture,
      onChange: () => this.#emit('texttrackchange'),
    })
    this.#stage?.setSize(session.size)
    this.#readyState = Math.max(1, this.#readyState)
    this.#emit('durationchange')
    this.#emit('loadedmetadata')
  }

  #playbackEvents(): SessionOpening['on'] {
    return {
      frame: (frame, exact) => {
        this.#captions.show(this.#session?.times.timeOf(frame) ?? 0)
        this.#emit('frame', { frame, time: this.#session?.times.timeOf(frame) ?? 0, exact })
      },
      report: ({ errors }) => {
        if (errors.length > 0) this.#emit('problem', { errors })
      },
      timeupdate: () => this.#emit('timeupdate'),
      playing: () => this.#emit('playing'),
      waiting: () => this.#emit('waiting'),
      grown: () => this.#emit('durationchange'),
      // The player reports failures by its event `error`.
      toggled: (isPlaying) => (isPlaying ? void this.play().catch(() => undefined) : this.pause()),
      ended: () => {
        this.#paused = true
        this.#ended = true
        this.#emit('timeupdate')
        this.#emit('pause')
        this.#emit('ended')
      },
      failed: (thrown) => this.#fail(thrown),
    }
  }

  #playedRange(count: number): FrameRange {
    const start = Math.min(Math.max(0, this.#range?.start ?? 0), count - 1)
    return { start, end: Math.min(Math.max(start + 1, this.#range?.end ?? count), count) }
  }

  #applyVolume(): void {
    this.#session?.setVolume(this.muted ? 0 : this.#volume)
    this.#emit('volumechange')
  }

  #fail(thrown: unknown): void {
    // What is asked of a composition when another takes its place ends like this.
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return
    const { code, message, hint } = asFailure(thrown, this.src)
    this.#error = { code, message, hint }
    this.#emit('error', this.#error)
  }

  #showControls(): void {
    if (this.controls && this.#stage) this.#controls ??= createControls(this, this.#stage)
    if (!this.controls) {
      this.#controls?.close()
      this.#controls = undefined
    }
  }

  #dispose(): void {
    this.#loading?.controller.abort()
    this.#session?.playback.close()
    this.#session = undefined
    this.#captions.close()
    this.#captions = createCaptions()
    this.#controls?.close()
    this.#controls = undefined
    this.#stage?.close()
    this.#stage = undefined
    this.#readyState = 0
    this.#paused = true
    this.#ended = false
    this.#beginning = { frame: 0 }
  }

  #emit<K extends keyof PlayerEventDetails>(type: K, detail: PlayerEventDetails[K]): void
  #emit(type: string): void
  #emit(type: string, detail?: unknown): void {
    this.dispatchEvent(detail === undefined ? new Event(type) : new CustomEvent(type, { detail }))
  }
}
