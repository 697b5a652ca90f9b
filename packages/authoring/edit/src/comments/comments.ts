import { isVidError } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { Comment, Editor, PlacedComment } from '../events.ts'
import { changeComments } from './comment-file.ts'

/** What a new comment is. */
export type NewComment = Pick<Comment, 'entry' | 'from' | 'to' | 'pin' | 'who' | 'text'>

/** Where comments are changed. */
export interface CommentPlace {
  /** The project, with its links resolved. */
  readonly dir: string
  readonly signal?: AbortSignal | undefined
}

/** Adds a comment. */
export const addComment = ({ dir, signal }: CommentPlace, comment: NewComment): Promise<Comment> =>
  changeComments(dir, signal, ({ next, comments }) => {
    const changed: Comment = { ...comment, id: next, writtenMs: Date.now(), answers: [], resolved: null }
    return { comments: [...comments, changed], changed }
  })

const changeOne = ({ dir, signal }: CommentPlace, id: number, change: (comment: Comment) => Comment) =>
  changeComments(dir, signal, ({ comments }) => {
    const comment = comments.find((other) => other.id === id)
    if (!comment) throw fail('VID_COMMENT_UNKNOWN', { id, known: comments.map((other) => other.id) })
    const changed = change(comment)
    return { comments: comments.map((other) => (other === comment ? changed : other)), changed }
  })

/** Answers of one comment, as its schema allows. */
const MAX_ANSWERS = 100

/** Answers a comment. */
export const answerComment = (place: CommentPlace, id: number, who: Editor, text: string): Promise<Comment> =>
  changeOne(place, id, (comment) => {
    if (comment.answers.length >= MAX_ANSWERS) throw fail('VID_COMMENT_FULL', { what: 'answers', most: MAX_ANSWERS })
    return { ...comment, answers: [...comment.answers, { who, text, writtenMs: Date.now() }] }
  })

/** Marks a comment as done, or as open again. */
export const resolveComment = (place: CommentPlace, id: number, resolved: Editor | null): Promise<Comment> =>
  changeOne(place, id, (comment) => ({ ...comment, resolved }))

/** Removes a comment; resolves to it. */
export const removeComment = ({ dir, signal }: CommentPlace, id: number): Promise<Comment> =>
  changeComments(dir, signal, ({ comments }) => {
    const changed = comments.find((other) => other.id === id)
    if (!changed) throw fail('VID_COMMENT_UNKNOWN', { id, known: comments.map((other) => other.id) })
    return { comments: comments.filter((other) => other !== changed), changed }
  })

/** Finds the element of a pin in the sources of a composition. */
export type FindPin = (pin: NonNullable<Comment['pin']>) => Promise<PlacedComment['place']>

/** Comments in order of time, with their elements as the sources have them now. */
export const placeComments = async (
  comments: readonly Comment[],
  findOf: (entry: string) => Promise<FindPin>,
): Promise<readonly PlacedComment[]> => {
  const placed = comments.map(async (comment): Promise<PlacedComment> => {
    if (comment.pin === null) return { ...comment, place: null }
    try {
      const find = await findOf(comment.entry)
      return { ...comment, place: await find(comment.pin) }
    } catch (thrown) {
      // The composition is gone, or broken: its comments stay at their times.
      if (!isVidError(thrown)) throw thrown
      return { ...comment, place: null }
    }
  })
  return (await Promise.all(placed)).sort((a, b) => a.from - b.from || a.id - b.id)
}
