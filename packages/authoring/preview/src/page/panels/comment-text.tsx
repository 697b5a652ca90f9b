import type { Editor } from '@vid/edit/events'

/** What somebody has written; the person at this page is "You". */
export const CommentText = ({ who, text }: { readonly who: Editor; readonly text: string }) => (
  <p class="comment-text">
    <strong>{who.kind === 'person' ? 'You' : who.name}</strong> {text}
  </p>
)
