import type { Command } from '../model/keys.ts'
import { isExactShown } from './exact.ts'
import { frames } from './playback.ts'
import * as transport from './transport.ts'
import * as view from './view.ts'

const toggleFullScreen = (): void => {
  if (document.fullscreenElement) void document.exitFullscreen()
  else
    document
      .querySelector('.stage')
      ?.requestFullscreen()
      .catch(() => undefined)
}

/** What each key and button does. */
export const COMMANDS: Readonly<Record<Command, () => void>> = {
  toggle: transport.toggle,
  stepBack: () => transport.step(-1),
  stepForward: () => transport.step(1),
  secondBack: () => transport.stepSeconds(-1),
  secondForward: () => transport.stepSeconds(1),
  toStart: () => transport.seek(0),
  toEnd: () => transport.seek(frames.value - 1),
  shuttleBack: () => transport.shuttle(-1),
  stop: transport.pause,
  shuttleForward: () => transport.shuttle(1),
  markIn: transport.markIn,
  markOut: transport.markOut,
  clearRange: transport.clearRange,
  loop: transport.toggleLoop,
  mute: transport.toggleMute,
  fullScreen: toggleFullScreen,
  fit: view.fit,
  actualSize: view.actualSize,
  zoomIn: () => view.zoomStep(1),
  zoomOut: () => view.zoomStep(-1),
  exact: () => {
    isExactShown.value = !isExactShown.value
  },
  keys: () => {
    view.showsKeys.value = !view.showsKeys.value
  },
}
