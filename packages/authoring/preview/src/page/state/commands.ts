import { framesIn } from '@vid/protocol'
import * as clips from '../edit/clip-edits.ts'
import { isSnapping } from '../edit/clip-gesture.ts'
import { redo, undo, write } from '../edit/edit-session.ts'
import type { KeyCommand } from '../model/keys.ts'
import { isBeforeHeld } from '../review/before.ts'
import { beginComment } from '../review/comments.ts'
import { isExactShown } from './exact.ts'
import { frames, rate } from './playback.ts'
import { focusClip, selectedKeys, shownClips } from './timeline.ts'
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

const framesOfSecond = () => Math.round(framesIn(1, rate.value))

/** Why a call came to nothing is shown where it failed. */
const start = (work: () => Promise<unknown>) => () => void work()

/** What each key and button does. */
export const COMMANDS: Readonly<Record<KeyCommand, () => void>> = {
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
  before: () => {
    isBeforeHeld.value = true
  },
  comment: beginComment,
  keys: () => {
    view.showsKeys.value = !view.showsKeys.value
  },
  split: start(clips.splitClips),
  remove: start(clips.removeClips),
  duplicate: start(clips.duplicateClips),
  nudgeBack: start(() => clips.nudgeClips(-1)),
  nudgeForward: start(() => clips.nudgeClips(1)),
  nudgeSecondBack: start(() => clips.nudgeClips(-framesOfSecond())),
  nudgeSecondForward: start(() => clips.nudgeClips(framesOfSecond())),
  trimStart: start(() => clips.trimToPlayhead('start')),
  trimEnd: start(() => clips.trimToPlayhead('end')),
  snapping: () => {
    isSnapping.value = !isSnapping.value
  },
  toClips: focusClip,
  selectAll: () => {
    selectedKeys.value = shownClips.value.filter((clip) => clips.lockOf(clip) === undefined).map(({ key }) => key)
  },
  selectNone: () => {
    selectedKeys.value = []
  },
  undo: start(undo),
  redo: start(redo),
  write: start(write),
}
