import { HoldButton } from '../parts/hold-button.tsx'
import { CommandButton, IconButton } from '../parts/icon-button.tsx'
import { isBeforeHeld, isBeforeShown } from '../review/before.ts'
import { hasOtherState } from '../review/changed-frames.ts'
import { type ExactView, exactView, isExactShown, wipe } from '../state/exact.ts'
import { nextTheme, theme } from '../state/panels.ts'
import { choose, entry, project } from '../state/project.ts'
import {
  actualSize,
  compositionSize,
  fit,
  hasCheckerboard,
  hasSafeAreas,
  hasThirds,
  scale,
  zoom,
  zoomStep,
} from '../state/view.ts'
import { EditBar } from './edit-bar.tsx'

const CompositionChoice = () => (
  <label class="composition-choice">
    <span class="hidden">Composition</span>
    <select value={entry.value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {project.value?.compositions.map((composition) => (
        <option key={composition.entry} value={composition.entry}>
          {composition.entry}
          {composition.error ? ' (broken)' : ''}
        </option>
      ))}
    </select>
  </label>
)

const EXACT_VIEWS: readonly (readonly [ExactView, string])[] = [
  ['over', 'Exact'],
  ['wipe', 'Wipe'],
  ['difference', 'Difference'],
]

const ExactControls = () => (
  <fieldset class="segments">
    <legend class="hidden">How the exact frame is compared</legend>
    {EXACT_VIEWS.map(([view, name]) => (
      <button
        key={view}
        type="button"
        aria-pressed={exactView.value === view}
        onClick={() => {
          exactView.value = view
          // At another size, the difference would be that of two ways to make pictures smaller.
          if (view === 'difference') actualSize()
        }}
      >
        {name}
      </button>
    ))}
    {exactView.value === 'wipe' && (
      <input
        type="range"
        aria-label="Place of the wipe"
        min={0}
        max={1}
        step={0.01}
        value={wipe.value}
        onInput={({ currentTarget }) => {
          wipe.value = Number(currentTarget.value)
        }}
      />
    )}
  </fieldset>
)

const ZoomControls = () => (
  <div class="zoom-controls">
    <button type="button" class="button small" aria-pressed={zoom.value === 'fit'} title="Fit (0)" onClick={fit}>
      Fit
    </button>
    <button
      type="button"
      class="button small"
      title="One pixel of the picture is one of the screen (1)"
      onClick={actualSize}
    >
      100 %
    </button>
    <button type="button" class="button small" aria-label="Zoom out" title="Zoom out (−)" onClick={() => zoomStep(-1)}>
      −
    </button>
    <output class="zoom" aria-label="Zoom">
      {Math.round(scale.value * devicePixelRatio * 100)} %
    </output>
    <button type="button" class="button small" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoomStep(1)}>
      +
    </button>
  </div>
)

const flip = (signal: { value: boolean }) => () => {
  signal.value = !signal.value
}

/** What is shown, and how. */
export const StageBar = () => (
  <header class="stage-bar">
    <div class="project-name">
      <h1>{project.value?.name ?? 'vid preview'}</h1>
      <CompositionChoice />
      <span class="quiet size">
        {compositionSize.value.width} × {compositionSize.value.height}
      </span>
    </div>
    <EditBar />
    <div class="stage-tools" role="toolbar" aria-label="View">
      {isExactShown.value && <ExactControls />}
      <HoldButton
        icon="before"
        name="Before the changes"
        title="While held, the frame before the changes (B)"
        isHeld={isBeforeShown.value}
        isOff={!hasOtherState.value}
        onHold={(isHeld) => {
          isBeforeHeld.value = isHeld
        }}
      />
      <CommandButton command="exact" name="Compare with the exact frame" icon="exact" isOn={isExactShown.value} />
      <IconButton name="Checkerboard" icon="checks" isOn={hasCheckerboard.value} onPress={flip(hasCheckerboard)} />
      <IconButton name="Safe areas" icon="safe" isOn={hasSafeAreas.value} onPress={flip(hasSafeAreas)} />
      <IconButton name="Thirds" icon="grid" isOn={hasThirds.value} onPress={flip(hasThirds)} />
      <ZoomControls />
      <CommandButton command="fullScreen" name="Full screen" icon="full" />
      <IconButton name={`Colours: ${theme.value}`} icon="theme" onPress={nextTheme} />
      <CommandButton command="keys" name="Keys" icon="keys" />
    </div>
  </header>
)
