import type { VidPlayer } from '../vid-player.ts'
import { CONTROLS_CSS } from './controls-style.ts'
import { type ButtonIconName, icon } from './icons.ts'
import { addKeyControls } from './keys.ts'
import { clockText } from './time-text.ts'

/** Events after which the bar shows something else. */
const SHOWN = ['play', 'pause', 'frame', 'durationchange', 'volumechange', 'seeking', 'texttrackchange']

/** What the buttons are put on. */
export interface ControlledStage {
  readonly shadow: ShadowRoot
  /** What plays and pauses when it is clicked. */
  readonly picture: HTMLElement
}

/** The buttons of a player. */
export interface Controls {
  close(): void
}

const button = (onClick: () => void): HTMLButtonElement => {
  const element = document.createElement('button')
  element.type = 'button'
  element.addEventListener('click', onClick)
  return element
}

/** Gives a button its picture and its name, which also shows when the pointer rests on it. */
const label = (element: HTMLButtonElement, name: string, picture: ButtonIconName) => {
  element.ariaLabel = name
  element.title = name
  element.replaceChildren(icon(picture))
}

const slider = (name: string, onInput: (value: number) => void): HTMLInputElement => {
  const element = document.createElement('input')
  element.type = 'range'
  element.ariaLabel = name
  element.addEventListener('input', () => onInput(element.valueAsNumber))
  return element
}

/** Plays what stands still, and pauses what plays. */
const toggle = (player: VidPlayer): void => {
  if (!player.paused) player.pause()
  // The player reports failures by its event `error`.
  else player.play().catch(() => undefined)
}

/** Shows the next text track alone, and after the last none. */
const toggleCaptions = ({ textTracks }: VidPlayer): void => {
  const tracks = [...textTracks]
  const next = tracks.findIndex(({ mode }) => mode === 'showing') + 1
  for (const [index, track] of tracks.entries()) track.mode = index === next ? 'showing' : 'hidden'
}

const isFullScreen = (player: VidPlayer): boolean => document.fullscreenElement === player

const toggleFullScreen = (player: VidPlayer): void => {
  const change = isFullScreen(player) ? document.exitFullscreen() : player.requestFullscreen()
  change.catch(() => undefined) // a page may not allow it
}

/** Makes the player focusable, with a role and a name unless the page has set them. */
const nameHost = (player: VidPlayer): (() => void) => {
  const attributes = { role: 'group', 'aria-label': 'Player', tabindex: '0' }
  const missingAttributes = Object.entries(attributes).filter(([name]) => !player.hasAttribute(name))
  for (const [name, value] of missingAttributes) player.setAttribute(name, value)
  return () => {
    for (const [name] of missingAttributes) player.removeAttribute(name)
  }
}

/** The sign of a player that has not been used: it stands over the picture until something is done. */
const createStart = (): HTMLElement => {
  const start = document.createElement('div')
  start.className = 'start'
  start.append(icon('play'))
  return start
}

/** The bar at the bottom, and what shows in it how the player is. */
const createBar = (player: VidPlayer) => {
  const bar = document.createElement('div')
  bar.className = 'controls'
  bar.part.add('controls')
  bar.role = 'group'
  bar.ariaLabel = 'Playback'
  const playing = button(() => toggle(player))
  const place = slider('Time', (frame) => player.seekFrame(frame).catch(() => undefined))
  place.className = 'place'
  const clock = document.createElement('time')
  const silence = button(() => {
    player.muted = !player.muted
  })
  const loudness = slider('Volume', (volume) => {
    player.volume = volume
    player.muted = false
  })
  loudness.className = 'loudness'
  loudness.max = '1'
  loudness.step = '0.05'
  const captions = button(() => toggleCaptions(player))
  const full = button(() => toggleFullScreen(player))
  bar.append(playing, place, clock, silence, loudness, full)
  const show = () => {
    const { paused, frame, frames, fps, muted, volume } = player
    bar.classList.toggle('playing', !paused)
    label(playing, paused ? 'Play' : 'Pause', paused ? 'play' : 'pause')
    label(silence, muted ? 'Unmute' : 'Mute', muted ? 'muted' : 'sound')
    const shownTrack = [...player.textTracks].find(({ mode }) => mode === 'showing')
    if (player.textTracks.length === 0) captions.remove()
    else if (!captions.isConnected) full.before(captions)
    captions.ariaPressed = `${shownTrack !== undefined}`
    label(captions, `Captions: ${shownTrack ? shownTrack.label || shownTrack.language || 'on' : 'off'}`, 'captions')
    label(full, isFullScreen(player) ? 'Leave full screen' : 'Full screen', 'full')
    place.max = `${Math.max(0, frames - 1)}`
    place.value = `${frame}`
    const text = `${clockText(fps ? frame / fps : 0)} / ${clockText(fps ? frames / fps : 0)}`
    clock.textContent = text
    place.ariaValueText = `${text}, frame ${frame}`
    loudness.value = `${muted ? 0 : volume}`
  }
  return { bar, show }
}

/** Puts buttons into the shadow tree of a player, and lets keys control it while it has the focus. */
export const createControls = (player: VidPlayer, { shadow, picture }: ControlledStage): Controls => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CONTROLS_CSS)
  shadow.adoptedStyleSheets.push(sheet)
  const { bar, show } = createBar(player)
  const start = createStart()
  shadow.append(start, bar)
  const unname = nameHost(player)
  const controller = new AbortController()
  const { signal } = controller
  for (const type of SHOWN) player.addEventListener(type, show, { signal })
  document.addEventListener('fullscreenchange', show, { signal })
  for (const type of ['play', 'seeking']) player.addEventListener(type, () => start.remove(), { signal })
  for (const place of [picture, start]) place.addEventListener('click', () => toggle(player), { signal })
  addKeyControls(player, {
    toggle: () => toggle(player),
    captions: () => toggleCaptions(player),
    full: () => toggleFullScreen(player),
    signal,
  })
  show()
  return {
    close() {
      controller.abort()
      start.remove()
      bar.remove()
      unname()
      shadow.adoptedStyleSheets = shadow.adoptedStyleSheets.filter((styleSheet) => styleSheet !== sheet)
    },
  }
}
