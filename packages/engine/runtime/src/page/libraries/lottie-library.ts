/** The parts of a lottie-web animation that the runtime uses. */
export interface LottieAnimation {
  readonly wrapper?: Element
  readonly isLoaded: boolean
  readonly isPaused: boolean
  readonly autoplay: boolean
  readonly loop: boolean | number
  readonly totalFrames: number
  readonly frameRate: number
  readonly playSpeed: number
  readonly playDirection: number
  readonly currentRawFrame: number
  /** Folder and bare name of its file, which is what the library keeps of the address. */
  readonly path?: string
  readonly fileName?: string
  readonly _cbs?: Readonly<Record<string, readonly unknown[] | null>>
  goToAndStop(frame: number, isFrame: true): void
  addEventListener(type: string, listener: () => void): void
}

/** The arguments of `loadAnimation` that matter here. */
export interface LottieOptions {
  readonly container?: unknown
  readonly path?: unknown
  readonly animationData?: unknown
}

/** The parts of the library that the runtime uses. */
export interface Lottie {
  getRegisteredAnimations(): LottieAnimation[]
  loadAnimation(options: LottieOptions): LottieAnimation
  freeze?(): void
  unfreeze?(): void
}

/** The library of a window, once the page has loaded it. */
export const lottieOf = (realm: object): Lottie | undefined => {
  const library = Reflect.get(realm, 'lottie') as Partial<Lottie> | undefined
  return typeof library?.getRegisteredAnimations === 'function' ? (library as Lottie) : undefined
}
