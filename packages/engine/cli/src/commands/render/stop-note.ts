/** What is said when a signal ends a render: a user who stops it may do so twice. */
export const stopNote = ({ reason }: AbortSignal): string =>
  reason instanceof Error && reason.cause !== undefined
    ? 'stopping after an error'
    : 'stopping; once more to stop at once'
