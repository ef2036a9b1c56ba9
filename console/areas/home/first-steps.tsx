import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { setOnboarding } from '../../../shared/contract/sessions.ts'
import { useAction } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { ASK_FIELD, AskForm } from './ask-form.tsx'
import { RememberForm } from './remember-form.tsx'

const texts = home.steps

interface FirstStepsProps {
  hasMemories: boolean
  isAsked: boolean
  isConnected: boolean
  onAsked: () => void
}

/** Leads a new user through the first uses. Each step is done in place and marked by what exists. */
export const FirstSteps = ({ hasMemories, isAsked, isConnected, onAsked }: FirstStepsProps) => {
  const states = [hasMemories, isAsked, isConnected]
  const done = states.filter(Boolean).length
  const isComplete = done === states.length
  const close = useAction(setOnboarding)
  useEffect(() => {
    // The form that had the focus is gone: the next step continues.
    if (hasMemories && document.activeElement === document.body)
      document.getElementById(ASK_FIELD)?.focus()
  }, [hasMemories])
  return (
    <section className="card home-steps" aria-labelledby="first-steps">
      <div className="row spread">
        <h2 id="first-steps">{texts.title}</h2>
        <div className="row">
          <span className="quiet small" role="status">
            {texts.progress(done, states.length)}
          </span>
          <Button
            isSmall
            look={isComplete ? 'primary' : 'quiet'}
            isPending={close.isPending}
            onPress={() => close.mutate({ body: { completed: true } })}
          >
            {isComplete ? texts.finish : texts.dismiss}
          </Button>
        </div>
      </div>
      <div className="meter-bar">
        <div className="meter-fill" style={{ width: `${(done / states.length) * 100}%` }} />
      </div>
      {close.error && <ErrorNotice error={close.error} />}
      {isComplete && <p>{texts.finished}</p>}
      <ol className="home-step-list plain">
        <FirstStep title={texts.remember} isDone={hasMemories}>
          {!hasMemories && <RememberForm />}
        </FirstStep>
        <FirstStep title={texts.ask} isDone={isAsked}>
          {hasMemories ? <AskForm onFound={onAsked} /> : <p className="quiet">{texts.askFirst}</p>}
        </FirstStep>
        <FirstStep title={texts.connect} isDone={isConnected}>
          {!isConnected && (
            <>
              <p className="quiet">{texts.connectNote}</p>
              <p>
                <Link className="button" to="/connect">
                  {texts.connectAction}
                </Link>
              </p>
            </>
          )}
        </FirstStep>
      </ol>
    </section>
  )
}

interface FirstStepProps {
  title: string
  isDone: boolean
  children: ReactNode
}

const FirstStep = ({ title, isDone, children }: FirstStepProps) => (
  <li className={isDone ? 'home-step done' : 'home-step'}>
    <span className="home-step-mark" aria-hidden="true">
      {isDone && <Icon name="check" />}
    </span>
    <div className="stack-small">
      <h3>
        {title}
        {isDone && <span className="visually-hidden"> ({texts.done})</span>}
      </h3>
      {children}
    </div>
  </li>
)
