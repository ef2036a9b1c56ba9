/** Prompts for which no memory of the user is of use, of several kinds. */
export const PROMPTS_WITHOUT_NEED: readonly string[] = [
  // Consent and short steps of a conversation.
  'yes',
  'no, the other one',
  'ok thanks',
  'continue',
  'Looks good to me, go ahead.',
  'try again',
  'stop',
  'ja bitte',
  'sí, hazlo',
  'd’accord, continue',
  '好的',
  'はい、お願いします',
  // Commands to a coding assistant that name all they need.
  'Rename foo to bar in main.c',
  'run the tests',
  'fix the lint errors',
  'commit this with a short message',
  'git rebase -i HEAD~3',
  'Add a docstring to the function parse_args.',
  'Why does `TypeError: cannot read properties of undefined` occur in line 12?',
  'Convert this callback to async/await.',
  'remove unused imports from src/index.ts',
  'Make the button blue and center it.',
  'npm run build fails with exit code 1, find out why',
  'explain this regular expression: ^[a-z]+$',
  'Write a unit test for the function add(a, b).',
  'Sort the array by the second column.',
  'Schreibe einen Test für die Funktion parse.',
  'Behebe den Tippfehler in Zeile 7.',
  'Ajoute une colonne `email` à la table users.',
  'Elimina los comentarios de este archivo.',
  'この関数をリファクタリングして',
  '把这个文件里的变量改名',
  'Удали лишние пробелы в этом файле.',
  'Open the file README.md and show the first ten lines.',
  'Undo the last change.',
  'What does git stash do?',
  // Questions of general knowledge.
  'What is the capital of Australia?',
  'How many bytes are in a kilobyte?',
  'Who wrote Pride and Prejudice?',
  'What is the difference between TCP and UDP?',
  'How far is the moon from the earth?',
  'When did the Berlin wall fall?',
  'Was ist die Hauptstadt von Kanada?',
  'Wie viele Einwohner hat Japan?',
  '¿Cuántos lados tiene un hexágono?',
  'Quelle est la racine carrée de 144 ?',
  'フランスの首都はどこですか？',
  '水的沸点是多少？',
  // Texts, sums and translations that hold their own material.
  'Translate "good morning" into Italian.',
  'Summarize: The quick brown fox jumps over the lazy dog.',
  'What is 17 times 23?',
  'Convert 30 degrees Celsius to Fahrenheit.',
  'Correct the spelling: definately, recieve, seperate',
  'Write a haiku about autumn leaves.',
  'Give me three synonyms for "happy".',
  'Tell me a joke.',
  'Write a short story about a dragon.',
  'List the planets in order of size.',
  'Übersetze „Guten Abend“ ins Schwedische.',
  'Cuéntame un chiste.',
]

/** A prompt, and the memory that its answer needs. */
export interface NeedyPrompt {
  prompt: string
  note: string
}

const needs = (prompt: string, note: string): NeedyPrompt => ({ prompt, note })

/** Prompts whose answer needs a memory of the user, of several kinds. */
export const PROMPTS_WITH_NEED: readonly NeedyPrompt[] = [
  // Decisions about a project.
  needs('Where do we deploy the shop?', 'We deploy the shop to Hetzner, never to AWS.'),
  needs(
    'Write the deployment script for the shop.',
    'Deployment scripts of ours are written in Python, and end with a smoke test.',
  ),
  needs(
    'Which database does the warehouse service use?',
    'The warehouse service runs on CockroachDB.',
  ),
  needs(
    'What port does the staging gateway listen on?',
    'The staging gateway listens on port 7443.',
  ),
  needs(
    'Who has to approve changes to the billing module?',
    'Priya approves every change to the billing module.',
  ),
  needs(
    'Set up a new package in the monorepo.',
    'New packages of the monorepo go to libs/ and use Vitest.',
  ),
  needs(
    'Name the branch for the login bug.',
    'Branch names start with the ticket, like ACME-123-login.',
  ),
  needs(
    'Add a migration that drops the coupon table.',
    'Migrations that drop a table need a backup from Tomasz first.',
  ),
  needs(
    'Why did we stop using GraphQL?',
    'We left GraphQL because caching it at the edge was too hard.',
  ),
  needs(
    'How do I get access to the Grafana dashboards?',
    'Access to Grafana is granted by the #infra channel.',
  ),
  needs('When is the code freeze?', 'The code freeze begins on December 14.'),
  needs(
    'Fix the flaky checkout test.',
    'The checkout test is flaky because the payment sandbox is slow after midnight.',
  ),
  needs('Which logger should this module use?', 'All modules log by pino, not by console.'),
  needs('Draft the release notes.', 'Release notes have three sections: Added, Changed, Fixed.'),
  needs(
    'What was the result of the load test?',
    'The load test reached 4,200 requests a second before latency rose.',
  ),
  needs('Bump the Node version.', 'We stay on Node 22 until the Lambda image supports 24.'),
  needs(
    'Wo liegt der Schlüssel für das Testsystem?',
    'Der Schlüssel für das Testsystem liegt im Tresor „Nordwind“.',
  ),
  needs(
    '¿Qué base de datos usa el servicio de facturas?',
    'El servicio de facturas usa una base de datos MariaDB.',
  ),
  needs('Quel est le budget du projet Atlas ?', 'Le budget du projet Atlas est de 40 000 euros.'),
  needs('デプロイ先はどこですか？', '本番のデプロイ先は東京リージョンです。'),
  // The person and their people.
  needs('What is my daughter called?', 'My daughter is called Ilse.'),
  needs('Book a table for our anniversary.', 'Our anniversary is on September 3.'),
  needs('What should I get my brother for his birthday?', 'My brother collects old fountain pens.'),
  needs('Plan a dinner for tonight.', 'I cannot eat gluten at dinner or at any other time.'),
  needs('When is my next dentist appointment?', 'My dentist appointment is on the 9th at 8:30.'),
  needs('Which gate code do I give the courier?', 'The gate code is 4471.'),
  needs('How tall is my son now?', 'Our son Emil is 1.31 m tall.'),
  needs('What did the vet say about the cat?', 'The vet said that the cat needs a kidney diet.'),
  needs('Where did I park the bicycle?', 'The bicycle is in the cellar of number 12.'),
  needs('Recommend a novel that I would like.', 'I like novels by Ursula Le Guin most.'),
  needs('What was the name of the hotel in Porto?', 'The hotel in Porto was called Casa do Rio.'),
  needs('Which shoe size do I have?', 'My shoe size is 43.'),
  needs(
    'Who is coming to the wedding from Norway?',
    'Ingrid and Lars come from Norway to the wedding.',
  ),
  needs('What is the wifi password of the cabin?', 'The wifi password of the cabin is "elkmoss".'),
  needs('Am I allergic to anything?', 'I am allergic to penicillin.'),
  needs('How long was my last marathon?', 'I finished the marathon in Riga in 3:52.'),
  needs('Wie heißt unser Hund?', 'Unser Hund heißt Bruno.'),
  needs('Wann fliegt Oma nach Lissabon?', 'Oma fliegt am 3. Mai nach Lissabon.'),
  needs('¿Cómo se llama mi profesora de piano?', 'Mi profesora de piano se llama Lucía.'),
  needs('我的医生叫什么名字？', '我的医生叫陈建国。'),
  // How the person wants things done.
  needs(
    'Write a cover letter for this position.',
    'I want cover letters without flattery, at most 200 words.',
  ),
  needs('Format this table.', 'I prefer tables with the numbers aligned right.'),
  needs('Review this pull request.', 'In a pull request review I want the risks first.'),
  needs(
    'Write an email to the landlord.',
    'Our landlord is Mr Okafor; he only reads emails in English.',
  ),
  needs(
    'Plan my training for next week.',
    'I train on Tuesdays and Saturdays only, because of my knee.',
  ),
  needs('Explain monads to me.', 'Explain things to me by examples in Kotlin.'),
  needs(
    'Make a packing list for the trip to Iceland.',
    'On the trip to Iceland we camp for four nights.',
  ),
  needs('Choose a font for the slides.', 'Slides of ours use the font Inter.'),
  needs('Which currency should the invoice be in?', 'Invoices are in Swiss francs.'),
  needs(
    'Prepare the agenda for the team meeting.',
    'The team meeting begins with a demo and lasts 25 minutes.',
  ),
  needs('Schreib Frau Albers eine Absage.', 'Frau Albers duzen wir, und sie mag kurze Briefe.'),
  needs(
    'Écris un message à Camille pour le déménagement.',
    'Le déménagement de Camille est samedi à dix heures.',
  ),
  // Earlier conversations.
  needs('What did we decide about the logo?', 'We decided to keep the green logo.'),
  needs(
    'Which books did you recommend about sleep?',
    'You recommended "Why We Sleep" and "The Circadian Code" about sleep.',
  ),
  needs(
    'What was the recipe with lentils?',
    'The lentil recipe: cook lentils with cumin, and add lemon at the end.',
  ),
  needs(
    'What were the three options for the roof?',
    'The options for the roof were slate, zinc and clay.',
  ),
  needs(
    'What is left to do on the tax return?',
    'For the tax return the receipts of March are missing.',
  ),
  needs('How much did the plumber want?', 'The plumber wants 640 francs for the boiler.'),
  needs(
    'What did the doctor advise against my headaches?',
    'Against the headaches Dr Sato advised magnesium.',
  ),
  needs('Welche Farbe wollten wir für die Küche?', 'Die Küche streichen wir in Salbeigrün.'),
]
