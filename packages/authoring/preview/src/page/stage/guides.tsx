import { hasSafeAreas, hasThirds } from '../state/view.ts'

/** Lines over the picture that no render has: safe areas of television (90 % and 80 %), and thirds. */
export const Guides = () => (
  <div class="guides" aria-hidden="true">
    {hasSafeAreas.value && (
      <>
        <div class="safe-area action" />
        <div class="safe-area title" />
      </>
    )}
    {hasThirds.value && <div class="thirds" />}
  </div>
)
