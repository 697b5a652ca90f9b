// What TypeScript must refuse: each line below a comment would do nothing, or the wrong thing.
import '@vid/player/react'

export const mistakes = (
  <>
    {/* @ts-expect-error: React listens for this name on elements of its own only */}
    <vid-player onPlay={() => undefined} />
    {/* @ts-expect-error: no values by names */}
    <vid-player variables={3} />
    {/* @ts-expect-error: the event of a frame has a detail, and no such field */}
    <vid-player onframe={({ detail }) => detail.nothing} />
    {/* @ts-expect-error: no such element */}
    <vid-players />
  </>
)
