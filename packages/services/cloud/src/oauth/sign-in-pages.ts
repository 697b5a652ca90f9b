import { createHtmlPage, type HtmlPage, html } from '../pages/html.ts'

/** Browsers also check the redirects after a form; the last one leads back to the command. */
const FORM_ACTION = "'self' http://127.0.0.1:*"

const page = (title: string, content: ReturnType<typeof html>) =>
  createHtmlPage(title, html`<main class="narrow">${content}</main>`, { formAction: FORM_ACTION })

const problemOf = (problem: string | undefined) => (problem ? html`<p class="problem">${problem}</p>` : html``)

/** The form for an e-mail address and a password. */
export const signInPage = (
  path: string,
  { problem, email = '' }: { problem?: string; email?: string } = {},
): HtmlPage =>
  page(
    'Sign in',
    html`<h1>Sign in</h1>
${problemOf(problem)}
<form method="post" action="${path}/sign-in">
<label>E-mail address <input type="email" name="email" value="${email}" autocomplete="username" required autofocus></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required></label>
<button type="submit">Sign in</button>
</form>
<form method="post" action="${path}/cancel"><button type="submit">Cancel</button></form>`,
  )

/** The form that asks whether the command may use an account. */
export const consentPage = (path: string, account: string): HtmlPage =>
  page(
    'Allow access',
    html`<h1>Allow vid to use your account?</h1>
<p>The command <code>vid</code> on this computer asks to render, see and delete videos as <strong>${account}</strong>.</p>
<p>Allow it only if you have just run <code>vid auth login</code>.</p>
<form method="post" action="${path}/allow"><button type="submit" autofocus>Allow</button></form>
<form method="post" action="${path}/cancel"><button type="submit">Cancel</button></form>`,
  )

/** The page that explains why a sign-in cannot continue. */
export const endedPage = (problem: string): HtmlPage =>
  page(
    'Sign in',
    html`<h1>This sign-in cannot continue</h1>
<p class="problem">${problem}</p>
<p>Start it again with <code>vid auth login</code>.</p>`,
  )
