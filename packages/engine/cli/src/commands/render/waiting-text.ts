import type { EventOf } from '@vid/protocol'

/** What is said of a render in which nothing happens. */
export const waitingText = ({ plugin, hook, seconds }: EventOf<'render-waiting'>): string =>
  `waiting for ${plugin} in hook ${hook}, for ${seconds} s so far`
