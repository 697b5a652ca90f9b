/** The open renders in the order of acceptance, so that a part of them can be looked at. */
export const openRenders = {
  renders_open: `vid.renders (sequence) WHERE status IN ('queued', 'rendering')`,
} as const
