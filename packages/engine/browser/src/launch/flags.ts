import { deviceScale } from '../driver/device-scale.ts'
import type { GpuBackend } from './gpu-backend.ts'
import type { BrowserKind } from './installed.ts'
import { type BrowserMachine, readMachine } from './machine.ts'
import type { Raster } from './raster-level.ts'

export interface LaunchSettings {
  /** Whether frames are drawn on command; only a headless shell can. */
  readonly frameControl: boolean
  /** Address of the egress proxy, such as `http://name.localhost:41234`. */
  readonly proxy: string
  readonly kind: BrowserKind
  /** Whether the browser shows a window, which only a full Chrome has. */
  readonly headed?: boolean
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  /** Pixels of the picture for each CSS pixel; default 1. */
  readonly scale?: number
  /** The graphics backend of the GPU; if left out, the processor draws, identically on every machine. */
  readonly gpu?: GpuBackend
  /** By default `portable`. */
  readonly raster?: Raster
}

/** A launch flag with its reason; without `when` it always applies. */
export interface FlagRule {
  readonly flag: string | ((settings: LaunchSettings) => string)
  readonly reason: string
  readonly when?: (settings: LaunchSettings, machine: BrowserMachine) => boolean
}

const DISABLED_FEATURES = [
  'PaintHolding', // delays the first frames of a page by some real time
  'Translate', // draws a bubble and asks the network
  'OptimizationHints', // asks the network
  'MediaRouter', // looks for devices on the local network
  'DialMediaRouteProvider', // the same
  'AcceptCHFrame', // a round trip that an asset server never answers
  'HttpsUpgrades', // the project is served over http
  'DestroyProfileOnBrowserClose', // the profile's owner removes it
]

const software = ({ gpu }: LaunchSettings): boolean => gpu === undefined
const hardware = ({ gpu }: LaunchSettings): boolean => gpu !== undefined
const drawnOnCommand = ({ frameControl, kind }: LaunchSettings): boolean => frameControl && kind === 'headless-shell'

/** Side of the window: the layout of a page follows its own size, but frames on command are pictures of the window. */
const windowSide = (side: number, settings: LaunchSettings): number =>
  drawnOnCommand(settings) ? side : Math.ceil(side * Math.min(1, settings.scale ?? 1))

/** Side of a tile that contains a whole layer, even one slightly larger than the picture. */
const tileSide = (side: number, { scale = 1 }: LaunchSettings): number => Math.max(4096, Math.ceil(side * scale) * 2)

/** Every launch flag of the toolkit with its reason and condition. */
export const flagRules: readonly FlagRule[] = [
  { flag: '--headless=new', reason: 'no window', when: ({ kind, headed }) => kind === 'chrome' && !headed },
  {
    flag: (settings) =>
      `--window-size=${windowSide(settings.width, settings)},${windowSide(settings.height, settings)}`,
    reason: 'the first layout has the final size; the compositor draws the whole window, also when pages are smaller',
  },
  {
    flag: ({ scale = 1 }) => `--force-device-scale-factor=${deviceScale(scale)}`,
    reason: 'a CSS pixel has as many pixels of the video on every display; frames on command follow only this',
  },

  { flag: '--enable-begin-frame-control', reason: 'a frame is drawn when asked for', when: drawnOnCommand },
  {
    flag: '--run-all-compositor-stages-before-draw',
    reason: 'a frame holds all that was committed before it, however slow the machine is',
    when: drawnOnCommand,
  },
  {
    flag: '--disable-new-content-rendering-timeout',
    reason: 'no frame is dropped because a page took long',
    when: drawnOnCommand,
  },
  {
    flag: '--enable-blink-features=CSSImageAnimation,CanvasDrawElement',
    reason:
      'images can be kept from moving by themselves; a page can be captured as an element of a canvas, and has that for its own drawing however it is captured',
  },
  {
    flag: '--enable-low-end-device-mode',
    reason: 'a flat 3D transform, such as translate3d(x, y, 0), gets no layer that would be smoothed on its way',
  },
  {
    flag: (settings) => `--default-tile-width=${tileSide(settings.width, settings)}`,
    reason: 'a layer is drawn whole: shapes cut at tiles are smoothed differently',
  },
  { flag: (settings) => `--default-tile-height=${tileSide(settings.height, settings)}`, reason: 'the same' },
  {
    flag: (settings) => `--max-untiled-layer-width=${tileSide(settings.width, settings)}`,
    reason: 'the same',
  },
  {
    flag: (settings) => `--max-untiled-layer-height=${tileSide(settings.height, settings)}`,
    reason: 'the same',
  },
  {
    flag: '--force-gpu-mem-available-mb=65536',
    reason: 'the layers of a large picture are all drawn: those beyond the usual limit are left out without a word',
  },
  { flag: '--disable-partial-raster', reason: 'the same for shapes cut at what has changed' },
  { flag: '--disable-threaded-animation', reason: 'nothing moves beside the page clock' },
  { flag: '--disable-threaded-scrolling', reason: 'the same' },
  { flag: '--disable-smooth-scrolling', reason: 'a scroll position is reached in its own frame' },
  { flag: '--disable-checker-imaging', reason: 'an image is decoded before its frame, not after' },
  { flag: '--disable-image-animation-resync', reason: 'an animated image does not skip to catch up' },
  {
    flag: '--disable-frame-rate-limit',
    reason: 'frames come as fast as they are drawn; with frame control it would make damage go unreported',
    when: (settings) => !drawnOnCommand(settings),
  },
  {
    flag: '--disable-gpu-vsync',
    reason: 'frames do not wait for a display',
    when: (settings) => !drawnOnCommand(settings),
  },

  { flag: '--disable-gpu', reason: 'the software compositor draws the same everywhere', when: software },
  {
    flag: '--disable-gpu-compositing',
    reason: 'compositing on emulated GPU costs 2 to 15 times the software compositor',
    when: software,
  },
  { flag: '--use-angle=swiftshader', reason: 'WebGL pages still draw, on emulated GPU', when: software },
  {
    flag: '--enable-unsafe-swiftshader',
    reason: 'WebGL on emulated GPU is refused without it',
    when: ({ gpu = 'swiftshader' }) => gpu === 'swiftshader',
  },
  { flag: '--use-gl=angle', reason: 'the one way to a GPU that every system has', when: hardware },
  { flag: ({ gpu }) => `--use-angle=${gpu}`, reason: 'the way is part of the plan', when: hardware },
  {
    flag: '--ignore-gpu-blocklist',
    reason: 'a captured frame decides whether a GPU can be used, not a list',
    when: hardware,
  },
  { flag: '--enable-gpu-rasterization', reason: 'pages are drawn on it too', when: hardware },
  {
    flag: '--msaa_is_slow',
    reason: 'edges are smoothed by how much they cover; by samples, a canvas and a screenshot would differ',
    when: hardware,
  },
  {
    flag: '--disable-rgba-4444-textures',
    reason: 'on a GPU, low-end mode would leave 16 steps of each colour',
    when: hardware,
  },
  {
    flag: '--exit_on_context_lost',
    reason: 'what was drawn is lost with a context; the end of its process is noticed',
    when: hardware,
  },

  { flag: '--force-color-profile=srgb', reason: 'colours do not depend on the display' },
  { flag: '--disable-lcd-text', reason: 'text has no coloured fringes' },
  { flag: '--font-render-hinting=none', reason: 'glyphs keep their shape and move by parts of a pixel' },
  {
    flag: '--disable-skia-runtime-opts',
    reason: 'raster does not depend on the processor model, for about a third more of its time',
    when: ({ raster = 'portable' }) => raster === 'portable',
  },
  { flag: '--hide-scrollbars', reason: 'a scrollbar is not part of the picture' },
  { flag: '--lang=en-US', reason: 'numbers and dates are written alike everywhere' },
  { flag: '--accept-lang=en-US', reason: 'the page gets the same language' },

  { flag: '--disable-background-timer-throttling', reason: 'a page in no window keeps its pace' },
  { flag: '--disable-backgrounding-occluded-windows', reason: 'the same' },
  { flag: '--disable-renderer-backgrounding', reason: 'the same' },
  { flag: '--disable-hang-monitor', reason: 'the toolkit itself decides when a page is stuck' },
  { flag: '--disable-ipc-flooding-protection', reason: 'many seeks a second are no attack' },
  { flag: '--autoplay-policy=no-user-gesture-required', reason: 'media play without a click' },
  { flag: '--mute-audio', reason: 'sound is mixed elsewhere; no device is needed' },

  {
    flag: ({ proxy }) => `--proxy-server=${proxy}`,
    reason: 'a page reaches the project and nothing else, also by what is not intercepted',
  },
  { flag: '--proxy-bypass-list=<-loopback>', reason: 'the same for addresses of this machine' },
  {
    flag: ({ proxy }) => `--host-resolver-rules=MAP ${new URL(proxy).hostname} 127.0.0.1, MAP * ~NOTFOUND`,
    reason: 'what goes round the proxy reaches nothing, and no name is looked up',
  },
  { flag: '--disable-quic', reason: 'UDP goes round the proxy' },
  {
    flag: '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    reason: 'the same: a peer connection sends nothing',
  },
  { flag: '--disable-background-networking', reason: 'no network requests by the browser itself' },
  { flag: '--disable-component-update', reason: 'the same' },
  { flag: '--disable-domain-reliability', reason: 'the same' },
  { flag: '--disable-sync', reason: 'the same' },
  { flag: '--no-pings', reason: 'the same' },
  { flag: '--disable-breakpad', reason: 'no crash reports' },
  { flag: '--disable-extensions', reason: 'nothing but the composition runs' },
  { flag: '--disable-default-apps', reason: 'the same' },
  { flag: '--no-first-run', reason: 'no welcome page' },
  { flag: '--no-default-browser-check', reason: 'no question' },
  { flag: '--disable-search-engine-choice-screen', reason: 'no question' },
  { flag: '--password-store=basic', reason: 'no key ring is opened' },
  { flag: '--use-mock-keychain', reason: 'the same on macOS' },
  {
    flag: '--enable-features=NetworkServiceInProcess2',
    reason: 'files of the project come without one more process, and each one with less work',
  },
  { flag: `--disable-features=${DISABLED_FEATURES.join(',')}`, reason: 'each named beside its line' },

  {
    flag: '--no-sandbox',
    reason: 'Chromium refuses to start as root, or where user namespaces are closed, with its sandbox',
    when: (_settings, { sandbox }) => !sandbox,
  },
  {
    flag: '--disable-dev-shm-usage',
    reason: 'a small /dev/shm crashes pages; shared memory goes to the temp folder',
    when: (_settings, { roomySharedMemory }) => !roomySharedMemory,
  },
]

/** The launch flags for one browser on this machine; the driver adds only its debugging pipe and profile. */
export const launchFlags = (settings: LaunchSettings, machine: BrowserMachine = readMachine()): string[] =>
  flagRules
    .filter(({ when }) => when?.(settings, machine) ?? true)
    .map(({ flag }) => (typeof flag === 'string' ? flag : flag(settings)))
