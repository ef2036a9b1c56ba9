/** A page that signs in, searches the memory and chats. `VITE_SVC_URL` is the address of svc. */
import { type FormEvent, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from 'svc-client'
import { SvcProvider, useChat, useRecall, useSession, useSignIn } from 'svc-client/react'

const client = createClient({ baseUrl: import.meta.env.VITE_SVC_URL })

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '')

const SignIn = () => {
  const { phase, error, providers, hasPasskeys, ...steps } = useSignIn()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const form = new FormData(event.currentTarget)
    if (phase === 'code') void steps.enterCode(textOf(form, 'code'))
    else {
      const enter = submitter?.id === 'sign-up' ? steps.signUp : steps.signIn
      void enter(textOf(form, 'email'), textOf(form, 'password'))
    }
  }
  return (
    <form onSubmit={submit}>
      {phase === 'code' ? (
        <label>
          Code <input name="code" autoComplete="one-time-code" />
        </label>
      ) : (
        <>
          <label>
            Email <input name="email" type="email" autoComplete="username" />
          </label>
          <label>
            Password <input name="password" type="password" autoComplete="current-password" />
          </label>
        </>
      )}
      <button type="submit">Sign in</button>
      {phase !== 'code' && (
        <button type="submit" id="sign-up">
          Sign up
        </button>
      )}
      {hasPasskeys && (
        <button type="button" onClick={() => void steps.signInWithPasskey()}>
          Use a passkey
        </button>
      )}
      {phase !== 'code' &&
        providers.map(({ name, label }) => (
          <button key={name} type="button" onClick={() => void steps.signInWithProvider(name)}>
            Continue with {label}
          </button>
        ))}
      {error && <p role="alert">{error.message}</p>}
    </form>
  )
}

const Search = () => {
  const [query, setQuery] = useState('')
  const { memories, error } = useRecall(query, { limit: 5 })
  return (
    <section aria-label="Memory">
      <label>
        Search <input value={query} onChange={(event) => setQuery(event.target.value)} />
      </label>
      <ul>
        {memories.map(({ memory_id, content_text }) => (
          <li key={memory_id}>{content_text}</li>
        ))}
      </ul>
      {error && <p role="alert">{error.message}</p>}
    </section>
  )
}

const Chat = () => {
  const { messages, question, answer, isAnswering, error, attachments, ...chat } = useChat()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const message = textOf(new FormData(event.currentTarget), 'message')
    event.currentTarget.reset()
    void chat.send(message)
  }
  return (
    <section aria-label="Chat">
      {chat.hasEarlier && (
        <button type="button" onClick={() => void chat.loadEarlier()}>
          Earlier messages
        </button>
      )}
      {messages.map(({ id, role, content }) => (
        <p key={id} className={role}>
          {content}
        </p>
      ))}
      {messages.length > 0 && !isAnswering && (
        <button type="button" onClick={() => void chat.regenerate()}>
          Answer again
        </button>
      )}
      {question && <p className="user">{question}</p>}
      {answer && (
        <p className="arriving" aria-busy={isAnswering}>
          {answer.text}
        </p>
      )}
      {error && <p role="alert">{error.message}</p>}
      <form onSubmit={submit}>
        <label>
          Message <input name="message" />
        </label>
        <label>
          File{' '}
          <input
            type="file"
            onChange={({ currentTarget: { files } }) => files?.[0] && void chat.attach(files[0])}
          />
        </label>
        {attachments.map(({ id, name }) => (
          <button key={id} type="button" onClick={() => chat.detach(id)}>
            Remove {name}
          </button>
        ))}
        {isAnswering ? (
          <button type="button" onClick={chat.stop}>
            Stop
          </button>
        ) : (
          <button type="submit">Send</button>
        )}
      </form>
    </section>
  )
}

const Page = () => {
  const { status, user, error, refetch, signOut } = useSession()
  if (status === 'loading') return <p>Loading …</p>
  if (error)
    return (
      <>
        <p role="alert">{error.message}</p>
        <button type="button" onClick={() => void refetch()}>
          Try again
        </button>
      </>
    )
  if (status === 'signed-out') return <SignIn />
  return (
    <>
      <p>Signed in as {user?.email}</p>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
      <Search />
      <Chat />
    </>
  )
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <SvcProvider client={client}>
        <Page />
      </SvcProvider>
    </StrictMode>,
  )
