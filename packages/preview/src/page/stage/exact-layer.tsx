import { exactPicture, exactView, isExactShown, wipe } from '../state/exact.ts'

/** The captured frame over the preview. */
export const ExactLayer = () => {
  const picture = exactPicture.value
  if (!isExactShown.value || !picture) return null
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
