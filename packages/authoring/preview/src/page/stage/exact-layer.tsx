import { beforeFrame, isBeforeShown } from '../review/before.ts'
import { exactFrame, exactView, isExactShown, wipe } from '../state/exact.ts'

/** The captured frame over the preview; while it is held, the one before the changes over both. */
export const ExactLayer = () => {
  const picture = isExactShown.value ? exactFrame.picture.value : null
  const before = isBeforeShown.value ? beforeFrame.picture.value : null
  if (before) return <img class="exact-frame over" src={before.url} alt={`Frame ${before.frame} before the changes`} />
  if (!picture) return null
  const view = exactView.value
  const cut = view === 'wipe' ? { clipPath: `inset(0 ${(1 - wipe.value) * 100}% 0 0)` } : {}
  return (
    <>
      <img
        class={`exact-frame ${view}`}
        src={picture.url}
        style={cut}
        alt={`Frame ${picture.frame} as a render captures it`}
      />
      {view === 'wipe' && <div class="wipe-line" style={{ left: `${wipe.value * 100}%` }} />}
    </>
  )
}
