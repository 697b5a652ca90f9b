/** The settings of the page script, fixed before any script of the page runs. */
export interface PageConfig {
  readonly width: number
  readonly height: number
  /** Frames in a second, or in as many seconds as `fpsDivisor` says: 30000 in 1001. */
  readonly fps: number
  readonly fpsDivisor?: number
  /** Pixels of the picture for each CSS pixel; default 1. */
  readonly scale?: number
  /** Values of the top composition's variables, with defaults applied. */
  readonly variables: Record<string, unknown>
  /** True when the output has transparency. */
  readonly alpha: boolean
  /** True when elements that draw captions show nothing. */
  readonly hidesCaptions?: boolean
  /** Set when the page is captured as an element. */
  readonly raster?: RasterConfig
}

/** How the worker of a page that is captured as an element writes pixels. */
export interface RasterConfig {
  /** The pixel file begins with this text, by which the capturing process finds it. */
  readonly mark: string
  /** Frames that the pixel file has room for. */
  readonly slots: number
  /** The WebAssembly module that converts pixels to planar formats, in base64. */
  readonly planar: string
  /** Whether the picture is drawn on the GPU, and read back from it once. */
  readonly onGpu?: boolean
  /** Whether the page is drawn with the instruction sets of this processor. */
  readonly native?: boolean
}
